import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { createAjv } from '../../../server/lib/create-ajv.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { propertyOf, violationOf } from '../../../server/lib/violation.ts';
import { resolveReference } from '../../lib/json-pointer.ts';
import { once } from '../../lib/once.ts';
import { addSharedSchemas } from './add-shared-schemas.ts';
import { useFormats } from './formats.ts';
import { subschemasOf } from './keywords.ts';
import { isSchema, type JsonSchema } from './schema.ts';

/** One violated keyword. */
export interface SchemaFault {
  keyword: string;
  /** JSON Pointer into the value. For a missing or extra property, the last part is its name. */
  location: string;
  /** The requirement, without the location. */
  message: string;
  /** Set if several branches match, of which a discriminator selects one. Validators accept such a value. */
  isSelected?: true;
}

export interface ValidationFailure {
  keyword: string;
  /** The schema object with the failed keyword, in the context's document. */
  within: unknown;
  /** The property that is missing or not allowed. */
  property: string | undefined;
}

/** A document with schemas, and functions that resolve references and validate values with Ajv. */
export interface SchemaContext {
  /** A copy of the document with absolute references. Pass only schemas of this copy to the functions. */
  document: Record<string, unknown>;
  resolve(reference: string): JsonSchema;
  /** Returns the violations of a value, without those that only follow from violations of subschemas. */
  violationsOf(schema: JsonSchema, value: unknown): SchemaFault[];
  /** Returns every failed keyword with its schema, including consequences of other failures. */
  failuresOf(schema: JsonSchema, value: unknown): ValidationFailure[];
  isValid(schema: JsonSchema, value: unknown): boolean;
  /**
   * Whether a value is valid after it is sent as text and parsed by the schema: `7` as a number, `true` as a boolean, a
   * single text as an array.
   */
  acceptsText(schema: JsonSchema, value: unknown): boolean;
  /** Returns existing IDs of a resource type, for schemas with `x-id-of`. */
  known(kind: string): readonly unknown[];
  /** Messages about limitations of the generated values, such as omitted combinations. */
  notes: Set<string>;
}

const base = 'contract';

/**
 * Creates a context for the schemas of a document.
 * @param document a bundled OpenAPI 3.1 document, or any JSON with schemas; it is not changed
 * @param known returns the existing IDs of a resource type; most generated IDs are taken from them
 */
export function createSchemaContext(
  document: object,
  known: SchemaContext['known'] = () => [],
): SchemaContext {
  const own = withAbsoluteReferences(document);
  if (!isObject(own)) throw new Error('The document is not an object.');
  // Strict mode would reject unknown keywords. Verbose errors contain their schema, which `failureOf` returns.
  const ajv = createAjv({
    allErrors: true,
    strict: false,
    verbose: true,
    messages: false,
    validateFormats: true,
    logger: false,
  });
  useFormats(ajv);
  addSharedSchemas(ajv, own, base);

  const resolve = (reference: string): JsonSchema => {
    const found = resolveReference(own, reference);
    if (!isSchema(found)) throw new Error(`The reference ${reference} does not exist.`);
    return found;
  };

  const readerWith = (coerceTypes: true | 'array') => {
    const reading = createAjv({ strict: false, coerceTypes, logger: false });
    useFormats(reading);
    addSharedSchemas(reading, own, base);
    return compileOnce(reading);
  };
  const readAsArrays = readerWith('array');
  const readAsScalars = once(() => readerWith(true));
  const validatorOf = compileOnce(ajv);
  const reach = createReach(resolve);
  return {
    document: own,
    resolve,
    known,
    notes: new Set(),
    isValid: (schema, value) => validatorOf(schema)(value) === true,
    // Read as an array as well, a text would match several branches of `oneOf`.
    acceptsText: (schema, value) =>
      readAsArrays(schema)(asTexts(value)) === true || readAsScalars()(schema)(asTexts(value)) === true,
    failuresOf(schema, value) {
      const validator = validatorOf(schema);
      return validator(value) ? [] : (validator.errors ?? []).map(failureOf);
    },
    violationsOf(schema, value) {
      const validator = validatorOf(schema);
      return validator(value) ? [] : originalsOf(validator.errors ?? [], reach);
    },
  };
}

function compileOnce(ajv: Ajv2020): (schema: JsonSchema) => ValidateFunction {
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema) => {
    const validator = compiled.get(schema) ?? sharedValidator(ajv, schema) ?? ajv.compile(schema);
    compiled.set(schema, validator);
    return validator;
  };
}

/** Returns the validator of a shared schema for a schema that is only a reference to it. */
function sharedValidator(ajv: Ajv2020, schema: JsonSchema): ValidateFunction | undefined {
  if (typeof schema === 'boolean' || schema.$ref === undefined || Object.keys(schema).length > 1) return;
  return ajv.getSchema(schema.$ref);
}

/** Converts every number, boolean and null in a value to text, as in parameters of a request. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asTexts(each)]));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Copies a node and rewrites `#/a` to `contract#/a`, so that a schema can be validated outside the document. */
function withAbsoluteReferences(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withAbsoluteReferences);
  if (!isObject(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' && value.startsWith('#')
        ? base + value
        : withAbsoluteReferences(value),
    ]),
  );
}

type Reach = (from: JsonSchema) => ReadonlySet<unknown>;

/** Creates a function that returns all schemas that Ajv may apply when it validates with a given schema. */
function createReach(resolve: SchemaContext['resolve']): Reach {
  const known = new Map<JsonSchema, Set<unknown>>();
  return (from) => {
    const found = known.get(from) ?? new Set<unknown>();
    if (!known.has(from)) collect(from, found);
    known.set(from, found);
    return found;
  };
  function collect(schema: JsonSchema, into: Set<unknown>): void {
    if (typeof schema === 'boolean' || into.has(schema)) return;
    into.add(schema);
    for (const inner of subschemasOf(schema)) collect(inner.schema, into);
    if (schema.$ref !== undefined) collect(resolve(schema.$ref), into);
  }
}

/** Keywords that usually fail because one of their subschemas fails. */
const choices = ['anyOf', 'oneOf', 'propertyNames'];

function originalsOf(errors: ErrorObject[], reach: Reach): SchemaFault[] {
  const wrappers = errors.filter(({ keyword }) => choices.includes(keyword));
  const inside = (error: ErrorObject) =>
    wrappers.some((wrapper) => {
      const parent = wrapper.parentSchema?.[wrapper.keyword];
      const branches: unknown[] = Array.isArray(parent) ? parent : [parent];
      return (
        error !== wrapper &&
        error.instancePath.startsWith(wrapper.instancePath) &&
        branches.some((branch) => isSchema(branch) && reach(branch).has(error.parentSchema))
      );
    });
  // `if` only reports that `then` or `else` has failed.
  const own = errors.filter((error) => error.keyword !== 'if' && !inside(error));
  // Ajv also reports properties in an invalid subschema as unevaluated, so other violations take precedence.
  const causes = own.filter(({ keyword }) => !keyword.startsWith('unevaluated'));
  return distinct((causes.length > 0 ? causes : own).map(faultOf));
}

function faultOf(error: ErrorObject): SchemaFault {
  const { keyword, pointer, message } = violationOf(error);
  const isSelected =
    Array.isArray(error.params.passingSchemas) && error.parentSchema?.discriminator !== undefined;
  return {
    keyword,
    location: pointer,
    message,
    ...(isSelected ? { isSelected } : {}),
  };
}

const failureOf = (error: ErrorObject): ValidationFailure => ({
  keyword: error.keyword,
  within: error.parentSchema,
  property: propertyOf(error),
});

function distinct(faults: SchemaFault[]): SchemaFault[] {
  return [
    ...new Map(faults.map((violation) => [`${violation.keyword} ${violation.location}`, violation])).values(),
  ];
}
