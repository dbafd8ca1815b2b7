import { forEachChange, formatValue } from '../comparison.ts';

/** Who leaves something out gets something else than before. */
export const defaultChanged = forEachChange(
  'default-changed',
  ({ typeName, property, base, revision }, directions) =>
    typeName === 'Schema' && property === 'default' && base?.value !== undefined && directions.has('requests')
      ? `The default was ${formatValue(base.value)} and is ${formatValue(revision?.value)}.`
      : undefined,
);
