import { forEachChange } from '../comparison.ts';

export const callbackUrlChanged = forEachChange(
  'callback-url-changed',
  ({ typeName, property, path, base, revision }) =>
    typeName === 'PathItem' && property === 'key' && path.includes('/callbacks/')
      ? `The callback URL is ${String(revision?.value)} instead of ${String(base?.value)}.`
      : undefined,
);
