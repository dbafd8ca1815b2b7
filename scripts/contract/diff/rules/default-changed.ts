import { forEachChange, formatValue } from '../comparison.ts';

/** Clients that omit a value get another default. */
export const defaultChanged = forEachChange(
  'default-changed',
  ({ typeName, property, base, revision }, directions) =>
    typeName === 'Schema' && property === 'default' && base?.value !== undefined && directions.has('requests')
      ? `The default was ${formatValue(base.value)} and is ${formatValue(revision?.value)}.`
      : undefined,
);
