import { forEachChange, shown } from '../comparison.ts';

export const responseHeaderSerializationChanged = forEachChange(
  'response-header-serialization-changed',
  ({ typeName, property, base, revision }) =>
    typeName === 'Header' && (property === 'explode' || property === 'style')
      ? `${property} was ${shown(base?.value)} and is ${shown(revision?.value)}.`
      : undefined,
);
