import type { ValidateFunction } from 'ajv';
import document from '../../generated/openapi.json' with { type: 'json' };
import { createAjv } from '../lib/create-ajv.ts';
import type { FieldError } from '../lib/field-error.ts';
import { formats } from '../lib/formats.ts';
import { findInvalidText } from '../lib/json-text.ts';
import { violationOf } from '../lib/violation.ts';
import type { Schemas } from './handler.ts';

// Strict mode would reject the contract's own keywords (`x-decision`, `examples`). The linter has validated the
// schemas; validating them here would take a tenth of the startup time.
const ajv = createAjv({
  allErrors: true,
  messages: false,
  strict: false,
  validateSchema: false,
  useDefaults: true,
  formats,
});
ajv.addSchema({ components: document.components }, 'contract');

const compiled = new Map<string, ValidateFunction>();

/**
 * Validates a value that does not pass through the pipeline.
 * @param name a schema's name under `components/schemas`
 * @returns the errors, with JSON Pointers; empty if the value is valid
 */
export function validateAgainstSchema(name: keyof Schemas, value: unknown): FieldError[] {
  const validate = compiled.get(name) ?? ajv.compile({ $ref: refTo(name) });
  compiled.set(name, validate);
  return problemsOf(validate, value);
}

const refTo = (name: keyof Schemas): string => `contract#/components/schemas/${name}`;

/** Returns a `$ref` to a property of a contract schema, for use in a schema outside the contract. */
export const refToProperty = (name: keyof Schemas, property: string): string =>
  `${refTo(name)}/properties/${property}`;

/**
 * Compiles a schema outside the contract, which may refer to contract schemas.
 * @returns a function that validates a value and fills in defaults; the first call compiles the schema
 */
export function compileValidator(schema: object): (value: unknown) => FieldError[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return problemsOf(validate, value);
  };
}

function problemsOf(validate: ValidateFunction, value: unknown): FieldError[] {
  const violations = validate(value) ? [] : (validate.errors ?? []).map(violationOf);
  return [
    ...violations.map(({ pointer, message }) => ({ field: pointer, message })),
    ...findInvalidText(value),
  ];
}
