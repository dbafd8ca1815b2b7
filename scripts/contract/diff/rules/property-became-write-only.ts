import { forEachChange } from '../comparison.ts';

/** Responses no longer contain the property. */
export const propertyBecameWriteOnly = forEachChange(
  'property-became-write-only',
  ({ typeName, property, path, revision }, directions) =>
    typeName === 'Schema' &&
    // At the root of a body or header it has no meaning.
    !path.endsWith('/schema') &&
    property === 'writeOnly' &&
    revision?.value === true &&
    directions.has('responses')
      ? 'The property became write-only: no response has it any longer.'
      : undefined,
);
