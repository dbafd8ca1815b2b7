import type { ErrorObject } from 'ajv';
import { ownOf } from '../lib/own-property.ts';
import { isDocumentNode } from './document-node.ts';

/** Returns the error for a body whose discriminator has none of the allowed values. */
export function unknownDiscriminator(
  body: unknown,
  property: string,
  allowed: readonly string[],
): ErrorObject {
  const about = (keyword: string, params: object, message: string, instancePath = '') => ({
    ...{ keyword, params, message, instancePath },
    schemaPath: `#/discriminator/${keyword}`,
  });
  if (!isDocumentNode(body)) return about('type', { type: 'object' }, 'must be object');
  if (ownOf(body, property) === undefined)
    return about('required', { missingProperty: property }, `must have required property '${property}'`);
  return about(
    'enum',
    { allowedValues: allowed },
    'must be equal to one of the allowed values',
    `/${property}`,
  );
}
