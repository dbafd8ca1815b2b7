import { isObject } from '../../../../server/lib/json-object.ts';
import { forEachChange, isDelivery } from '../comparison.ts';

/** Receivers of webhooks and callbacks rely on the payload. */
export const eventPayloadReduced = forEachChange(
  'event-payload-reduced',
  ({ typeName, kind, property, path, base, revision }) => {
    if (!isDelivery(path) || path.includes('/responses')) return undefined;
    const name = isObject(base?.value) ? String(base.value.name) : '';
    const wasRequired = property === 'required' && base?.value === true && revision?.value !== true;
    if (typeName === 'Parameter' && (kind === 'removed' || wasRequired))
      return kind === 'removed'
        ? `The webhook request no longer has ${name}.`
        : 'The webhook request may omit this parameter.';
    if (typeName === 'ParameterList' && kind === 'removed')
      return 'The webhook request no longer has its parameters.';
    if (/^SecurityRequirement/.test(typeName) && kind === 'removed')
      return 'The webhook request no longer has the credentials.';
    if (typeName === 'RequestBody' && kind === 'removed') return 'The webhook request no longer has a body.';
    if (typeName === 'RequestBody' && wasRequired) return 'The webhook request may omit its body.';
    return typeName === 'MediaType' && kind === 'added'
      ? `The webhook request may have the media type ${path.slice(path.lastIndexOf('/') + 1).replaceAll('~1', '/')}.`
      : undefined;
  },
);
