import { forEachChange } from '../comparison.ts';

/** Who sends it is refused, or heard by nobody. */
export const propertyBecameReadOnly = forEachChange(
  'property-became-read-only',
  ({ typeName, property, revision }, directions) =>
    typeName === 'Schema' && property === 'readOnly' && revision?.value === true && directions.has('requests')
      ? 'The property is only read: nobody may send it any more.'
      : undefined,
);
