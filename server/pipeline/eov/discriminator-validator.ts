import type { ErrorObject, ValidateFunction } from 'ajv';
import { isDocumentNode } from '../document-node.ts';
import { unknownDiscriminator } from '../unknown-discriminator.ts';

/** The discriminator of a body, as express-openapi-validator represents it. */
interface Discriminator {
  property: string;
  /** Keyed by the value of the discriminator property. */
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
  const { property, validators } = discriminator;
  const value = isDocumentNode(body) ? body[property] : undefined;
  const chosen = Object.hasOwn(validators, String(value)) ? validators[String(value)] : undefined;
  const validator: BodyValidator = (given) => {
    const isValid = chosen?.(given) === true;
    const errors = chosen
      ? (chosen.errors ?? [])
      : [unknownDiscriminator(given, property, Object.keys(validators))];
    validator.errors = errors.map((each) => ({ ...each, instancePath: `/body${each.instancePath}` }));
    return isValid;
  };
  return validator;
}
