import { forEachChange } from '../comparison.ts';

/** What is sent to a webhook or a callback: who receives it relied on a body. */
export const deliveryBodyBecameOptional = forEachChange(
  'delivery-body-became-optional',
  ({ typeName, property, path, base, revision }) =>
    typeName === 'RequestBody' &&
    property === 'required' &&
    base?.value === true &&
    revision?.value !== true &&
    (path.startsWith('/webhooks/') || path.includes('/callbacks/'))
      ? 'What is sent may come without its body now.'
      : undefined,
);
