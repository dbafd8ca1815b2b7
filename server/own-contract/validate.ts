import { contract } from '../../generated/contract.js';
import { assertCompiled, type CompactSchema } from '../contract/compiled-contract.ts';
import { ApiError } from '../contract/errors.ts';
import { createSchemaChecks, violationsWithinLimit } from '../contract/schema-checks.ts';
import { validationError } from '../errors.ts';
import type { FieldError } from '../lib/field-error.ts';
import { isObject } from '../lib/json-object.ts';
import { findInvalidText } from '../lib/json-text.ts';
import { ownOf } from '../lib/own-property.ts';
import type { SchemaViolation } from '../lib/violation.ts';
import { interpretSchema } from '../validation/explain/explain-schema.ts';
import type { Schemas } from './handler.ts';

assertCompiled(contract);
const { components, formats, schemas } = contract;
const checks = createSchemaChecks(contract);

/**
 * Validates a value that does not pass through the pipeline.
 * @param name a schema's name under `components/schemas`
 * @returns the errors, with JSON Pointers; empty if the value is valid
 */
export const validateAgainstSchema = (name: keyof Schemas, value: unknown): FieldError[] =>
  problemsOf(
    violationsWithinLimit(value, () => checks.violationsOf(compiledNameOf(name), value)),
    value,
  );

/** @throws ApiError if a value violates the contract. @param name a schema's name under `components/schemas` */
export function assertValid(name: keyof Schemas, value: unknown): void {
  const problems = validateAgainstSchema(name, value);
  if (problems.length > 0) throw new ApiError(validationError(problems));
}

/** Returns the schema of a property of the contract, for use in a schema outside the contract. */
export function schemaOfProperty(name: keyof Schemas, property: string): CompactSchema {
  const schema = schemas[compiledNameOf(name)];
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  const found = ownOf(properties, property);
  if (!isObject(found) && typeof found !== 'boolean')
    throw new Error(`The schema ${name} has no property ${property}.`);
  return found;
}

/** Returns a function that validates a value with a schema outside the contract, which may contain schemas of it. */
export const validatorOf =
  (schema: CompactSchema) =>
  (value: unknown): FieldError[] =>
    problemsOf(
      violationsWithinLimit(value, () => interpretSchema({ schemas, formats }, schema, value, maxViolations)),
      value,
    );

const maxViolations = 100;

/** Returns the name of a schema in the compiled contract. @throws Error if no operation or webhook uses it */
function compiledNameOf(name: keyof Schemas): string {
  const found = ownOf(components, name);
  if (found === undefined)
    throw new Error(`No operation or webhook of the contract uses the schema ${name}.`);
  return found;
}

const problemsOf = (violations: readonly SchemaViolation[], value: unknown): FieldError[] => [
  ...violations.map(({ pointer, message }) => ({ field: pointer, message })),
  ...findInvalidText(value),
];
