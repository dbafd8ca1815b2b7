import type { ErrorObject, ValidateFunction } from 'ajv';
import { ownOf } from '../../lib/own-property.ts';
import { isDocumentNode } from '../document-node.ts';
import { unknownDiscriminator } from '../unknown-discriminator.ts';

/** The discriminator of a body, as express-openapi-validator represents it. */
interface Discriminator {
  property: string;
  /** The values of the discriminator property. */
  options: { option: string }[];
  /** By value. For the value `__proto__`, the validator is the prototype of this object. */
  validators: Record<string, ValidateFunction>;
}

interface BodyValidator {
  (body: unknown): boolean;
  errors?: ErrorObject[];
}

/**
 * Returns the validator that the body's discriminator selects, or null if the body is validated as usual: it is
 * missing, or its schema has no discriminator.
 *
 * It replaces the method of express-openapi-validator's `RequestValidator`, which fails if the body is missing or not
 * an object, and reports an unknown discriminator value without its location and without the other violations.
 */
export function discriminatorValidator(
  { body }: { body?: unknown },
  discriminator: Discriminator | undefined,
): BodyValidator | null {
  if (discriminator === undefined || body === undefined) return null;
  const { property, validators, options } = discriminator;
  const values = options.map(({ option }) => option);
  const value = String(isDocumentNode(body) ? ownOf(body, property) : undefined);
  const chosen = values.includes(value) ? validators[value] : undefined;
  const validator: BodyValidator = (given) => {
    const isValid = chosen?.(given) === true;
    const errors = chosen ? (chosen.errors ?? []) : [unknownDiscriminator(given, property, values)];
    validator.errors = errors.map((each) => ({ ...each, instancePath: `/body${each.instancePath}` }));
    return isValid;
  };
  return validator;
}
