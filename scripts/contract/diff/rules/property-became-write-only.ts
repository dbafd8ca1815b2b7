import { forEachChange } from '../comparison.ts';

/** Responses no longer contain the property. */
export const propertyBecameWriteOnly = forEachChange(
  'property-became-write-only',
  ({ typeName, property, revision }, directions) =>
    typeName === 'Schema' &&
    property === 'writeOnly' &&
    revision?.value === true &&
    directions.has('responses')
      ? 'The property became write-only: no response has it any longer.'
      : undefined,
);
