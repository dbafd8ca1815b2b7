import { forEachChange, formatValue } from '../comparison.ts';

export const responseHeaderSerializationChanged = forEachChange(
  'response-header-serialization-changed',
  ({ typeName, property, base, revision }) =>
    typeName === 'Header' && (property === 'explode' || property === 'style')
      ? `${property} was ${formatValue(base?.value)} and is ${formatValue(revision?.value)}.`
      : undefined,
);
