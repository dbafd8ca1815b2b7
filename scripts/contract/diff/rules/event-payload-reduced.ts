import { isObject } from '../../../testing/schema-values/schema.ts';
import { forEachChange } from '../comparison.ts';

/** Receivers of webhooks and callbacks rely on the payload. */
export const eventPayloadReduced = forEachChange(
  'delivery-lost-something',
  ({ typeName, kind, property, path, base, revision }) => {
    const isDelivery = path.startsWith('/webhooks/') || path.includes('/callbacks/');
    if (!isDelivery || path.includes('/responses')) return undefined;
    const name = isObject(base?.value) ? String(base.value.name) : '';
    const wasRequired = property === 'required' && base?.value === true && revision?.value !== true;
    if (typeName === 'Parameter' && (kind === 'removed' || wasRequired))
      return kind === 'removed'
        ? `What is sent comes without ${name}.`
        : 'What is sent may come without this parameter.';
    if (typeName === 'ParameterList' && kind === 'removed')
      return 'What is sent comes without its parameters.';
    if (typeName === 'RequestBody' && kind === 'removed') return 'What is sent comes without its body.';
    if (typeName === 'RequestBody' && wasRequired) return 'What is sent may come without its body.';
    return typeName === 'MediaType' && kind === 'added'
      ? `What is sent may come as ${path.slice(path.lastIndexOf('/') + 1).replaceAll('~1', '/')}.`
      : undefined;
  },
);
