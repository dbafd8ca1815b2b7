import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { useFormats } from './formats.ts';
import { resolvePointer } from './json-pointer.ts';
import { subschemasOf } from './keywords.ts';
import { isObject, isSchema, type JsonSchema } from './schema.ts';

/** One keyword that a value breaks. */
export interface SchemaFault {
  keyword: string;
  /** Where: a JSON Pointer into the value; what is missing, or should not be there, is its last part. */
  location: string;
}

export interface ValidationFailure {
  keyword: string;
  /** As it stands in the world's document. */
  within: unknown;
  /** The property that is missing, or should not be there. */
  property: string | undefined;
}

/** A document with the schemas in it: references in them lead to where they point, and Ajv judges by them. */
export interface SchemaContext {
  /** A copy of the document whose references are absolute; schemas have to be taken out of it. */
  document: Record<string, unknown>;
  resolve(reference: string): JsonSchema;
  /** What a value breaks; consequences of something broken further inside are left out. */
  violationsOf(schema: JsonSchema, value: unknown): SchemaFault[];
  /** Every keyword that has refused a value, consequences included, with the schema in which it stands. */
  failuresOf(schema: JsonSchema, value: unknown): ValidationFailure[];
  isValid(schema: JsonSchema, value: unknown): boolean;
  /** Whether a text can be read as a value that fits: `7` as a number, `true` as a boolean, one as a list of one. */
  acceptsText(schema: JsonSchema, value: unknown): boolean;
  /** Names of things that are there, by their kind: what schemas mean that have an `x-id-of`. */
  known(kind: string): readonly unknown[];
  /** What was left aside while values were made, for people. */
  notes: Set<string>;
}

const base = 'contract';

/**
 * @param document an OpenAPI 3.1 document in one piece, or any JSON with schemas in it; it is not changed
 * @param known ids of what is there, by kind; where there are some, values mostly take one of them
 */
export function createSchemaContext(
  document: object,
  known: SchemaContext['known'] = () => [],
): SchemaContext {
  const own = withAbsoluteReferences(document);
  if (!isObject(own)) throw new Error('The document is no object.');
  // Strict mode would refuse words that belong to others; verbose errors name the schema that they come from.
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    validateFormats: true,
    logger: false,
  });
  useFormats(ajv);
  ajv.addSchema(own, base, undefined, false);

  const resolve = (reference: string): JsonSchema => {
    const pointer = reference.slice(reference.indexOf('#') + 1);
    if (pointer !== '' && !pointer.startsWith('/'))
      throw new Error(`The reference ${reference} goes to an anchor, which is not followed here.`);
    const found = resolvePointer(own, pointer);
    if (typeof found !== 'boolean' && !isObject(found))
      throw new Error(`The reference ${reference} leads nowhere.`);
    return found;
  };

  const reading = new Ajv2020({ strict: false, coerceTypes: 'array', logger: false });
  useFormats(reading);
  reading.addSchema(own, base, undefined, false);

  const judgeOf = compileOnce(ajv);
  const readerOf = compileOnce(reading);
  const reach = createReach(resolve);
  return {
    document: own,
    resolve,
    known,
    notes: new Set(),
    isValid: (schema, value) => judgeOf(schema)(value) === true,
    acceptsText: (schema, value) => readerOf(schema)(asTexts(value)) === true,
    failuresOf(schema, value) {
      const judge = judgeOf(schema);
      return judge(value) ? [] : (judge.errors ?? []).map(failureOf);
    },
    violationsOf(schema, value) {
      const judge = judgeOf(schema);
      return judge(value) ? [] : originalsOf(judge.errors ?? [], reach);
    },
  };
}

function compileOnce(ajv: Ajv2020): (schema: JsonSchema) => ValidateFunction {
  const compiled = new Map<JsonSchema, ValidateFunction>();
  return (schema) => {
    const judge = compiled.get(schema) ?? ajv.compile(schema);
    compiled.set(schema, judge);
    return judge;
  };
}

/** A value as it arrives where everything is text. */
function asTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asTexts);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asTexts(each)]));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** A copy in which `#/a` is `contract#/a`, so that a schema can be judged apart from the document. */
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

/** Every schema that judging by another can come to. */
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

/** Keywords that fail because something inside them does, or none of it fits: what is inside tells nothing of its own. */
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
  // `if` only says that `then` or `else` has failed, which say it themselves.
  const own = errors.filter((error) => error.keyword !== 'if' && !inside(error));
  // What a broken part would have looked at counts as not looked at.
  const causes = own.filter(({ keyword }) => !keyword.startsWith('unevaluated'));
  return distinct((causes.length > 0 ? causes : own).map(faultOf));
}

function faultOf(error: ErrorObject): SchemaFault {
  const { keyword, property } = failureOf(error);
  return {
    keyword,
    location:
      property === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(property)}`,
  };
}

function failureOf({ keyword, params, parentSchema }: ErrorObject): ValidationFailure {
  const property: unknown =
    params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty ?? params.propertyName;
  return { keyword, within: parentSchema, property: property === undefined ? undefined : String(property) };
}

function distinct(faults: SchemaFault[]): SchemaFault[] {
  return [
    ...new Map(faults.map((violation) => [`${violation.keyword} ${violation.location}`, violation])).values(),
  ];
}
