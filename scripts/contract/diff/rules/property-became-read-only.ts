import { forEachChange } from '../comparison.ts';

/** Requests that contain the property are rejected, or the property is ignored. */
export const propertyBecameReadOnly = forEachChange(
  'property-became-read-only',
  ({ typeName, property, revision }, directions) =>
    typeName === 'Schema' && property === 'readOnly' && revision?.value === true && directions.has('requests')
      ? 'The property became read-only: clients may no longer send it.'
      : undefined,
);
