import { forEachChange, shown } from '../comparison.ts';

/** Who leaves something out gets something else than before. */
export const defaultChanged = forEachChange(
  'default-changed',
  ({ typeName, property, base, revision }, directions) =>
    typeName === 'Schema' && property === 'default' && base?.value !== undefined && directions.has('requests')
      ? `The default was ${shown(base.value)} and is ${shown(revision?.value)}.`
      : undefined,
);
