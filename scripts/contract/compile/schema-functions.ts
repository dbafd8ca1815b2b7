import { _, type CodeKeywordDefinition } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Decide } from '../../../server/contract/compiled-contract.ts';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { withoutWorkLimit } from '../../../server/lib/work-limit.ts';
import { createAjv } from '../../lib/create-ajv.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import { mapKeywords, schemaKeywords } from './document-pointers.ts';
import { createReferenceCuts } from './reference-cuts.ts';
import { useDirectReferences } from './reference-keyword.ts';
import { mapOwn, type SchemaCopies } from './schema-copies.ts';

/** The name under which emitted source code imports the formats. */
export const formatsModule = '#formats';

/** Compiles schemas to functions that only decide. */
export interface SchemaFunctions {
  /** Returns the function of a schema, which is compiled on its first call. */
  deciderOf: (name: string) => Decide;
  /** The compiler, for the source code of the functions. Contains all schemas once a function was compiled. */
  compiler: Ajv2020;
  /** Compiles schemas. @throws Error that names the schema that cannot be compiled */
  compileAll: (names: readonly string[]) => void;
}

/**
 * Creates the compiler of a contract's schemas: one function per schema, which stops at the first violation, changes
 * nothing, and makes no errors. `explainSchema` lists the violations of what it refuses.
 * @param copies all schemas
 * @param mayGrow whether schemas are added after the first call of a function. If not, they must not change then.
 */
export function createSchemaFunctions(
  { all: schemas, names, locationOf }: Pick<SchemaCopies, 'all' | 'names' | 'locationOf'>,
  mayGrow = false,
): SchemaFunctions {
  const compiler = createAjv({
    strict: false,
    strictNumbers: true,
    validateSchema: false,
    inlineRefs: false,
    messages: false,
    logger: false,
    formats: knownFormats,
    code: { source: true, esm: true, optimize: !mayGrow, formats: _`require(${formatsModule}).formats` },
  });
  compiler.addKeyword(decided);
  compiler.addKeyword(forbidden);
  compiler.addKeyword(tracked);
  const cuts = createReferenceCuts(schemas);
  const find = useDirectReferences(compiler, cuts.isCut);
  let added = 0;
  let tracking: readonly string[] = [];
  const addSchemas = () => {
    if (added === names.length) return;
    if (added === 0) {
      // Each of them adds code to every function.
      compiler.opts.unevaluated = mayGrow || uses(schemas, /^unevaluated(Items|Properties)$/);
      if (compiler.opts.unevaluated)
        tracking = mayGrow || uses(schemas, /^contains$/) ? [...branching, ...evaluatingAll] : branching;
      compiler.opts.dynamicRef = false;
    }
    const more = names.slice(added);
    added = names.length;
    cuts.add(more);
    for (const name of more)
      compiler.addSchema({ [decided.keyword]: asJsonSchema(schemas[name], schemas, tracking) }, name);
  };
  const compile = (name: string): Decide => {
    addSchemas();
    try {
      // Schemas are compiled when the first message needs them.
      const found = withoutWorkLimit(() => find(name));
      if (!found) throw new Error(`There is no schema ${name}.`);
      return (value) => found(value) === true;
    } catch (cause) {
      throw new Error(`The schema at ${locationOf(name)} cannot be compiled: ${errorMessage(cause)}`, {
        cause,
      });
    }
  };
  return {
    compiler,
    compileAll: (given) => {
      for (const name of given) compile(name);
    },
    deciderOf(name) {
      let compiled: Decide | undefined;
      return (value) => {
        compiled ??= compile(name);
        return compiled(value);
      };
    },
  };
}

/** Whether one of some schemas, or of those inside them, has a keyword. */
function uses(schemas: unknown, keyword: RegExp): boolean {
  if (typeof schemas !== 'object' || schemas === null) return false;
  return Object.entries(schemas).some(([name, inner]) => keyword.test(name) || uses(inner, keyword));
}

/** Applies a schema without making errors: what is refused is explained by other code. */
const decided = {
  keyword: 'decided',
  schemaType: ['object', 'boolean'],
  code(context) {
    const valid = context.gen.name('valid');
    const applied = context.subschema({ keyword: 'decided', createErrors: false, allErrors: false }, valid);
    context.ok(valid);
    context.mergeEvaluated(applied);
  },
} as const satisfies CodeKeywordDefinition;

/**
 * Makes Ajv count at run time what is evaluated. By itself, it forgets what it knew before alternatives if another one than
 * the first applies (ajv#2559, #2483).
 */
const tracked: CodeKeywordDefinition = {
  keyword: 'tracked',
  before: '$ref',
  code({ gen, it }) {
    it.props = gen.var('props', _`{}`);
    it.items = gen.var('items', _`0`);
  },
};

/** Keywords of schemas in which it is not known before what is evaluated. */
const branching = ['if', 'anyOf', 'oneOf', 'dependentSchemas', 'contains'];
/** Keywords of schemas that evaluate all properties of objects, but no items. */
const evaluatingAll = ['additionalProperties', 'unevaluatedProperties'];

/** Rejects a property that the message does not have: a read-only one in a request, or a write-only one in a response. */
const forbidden: CodeKeywordDefinition = {
  keyword: 'forbidden',
  schemaType: 'string',
  code(context) {
    context.fail(_`true`);
  },
};

/**
 * Expresses what a discriminator demands with keywords of JSON Schema, and writes simple schemas where references lead to
 * them: a call would take longer than their validation.
 */
function asJsonSchema(schema: unknown, schemas: SchemaCopies['all'], tracking: readonly string[]): unknown {
  if (!isObject(schema)) return schema;
  const inner = (each: unknown) => asJsonSchema(each, schemas, tracking);
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (mapKeywords.has(keyword)) return [keyword, mapOwn(objectOf(value), inner)];
    if (!schemaKeywords.has(keyword)) return [keyword, value];
    return [keyword, Array.isArray(value) ? value.map(inner) : inner(value)];
  });
  const own = withGroups(withoutCollecting(Object.fromEntries(entries)));
  const copy = tracking.length > 0 ? withEvaluated(own, tracking) : own;
  const { $ref: target } = copy;
  if (typeof target === 'string' && entries.length === 1 && isSimple(schemas[target]))
    return inner(schemas[target]);
  const { discriminator } = schema;
  if (!isDiscriminator(discriminator)) return copy;
  const { property, branches } = discriminator;
  const known = { properties: { [property]: { enum: Object.keys(branches) } } };
  const mapped = Object.entries(branches).map(([value, name]) => ({
    if: { properties: { [property]: { const: value } }, required: [property] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: name },
  }));
  return { ...copy, allOf: [...listOf(copy.allOf), known, ...mapped] };
}

/** Ajv nests the code of each property in that of the one before it: thousands would exhaust the stack. */
const maxNested = 500;

/** Validates many properties in groups. All their names stay, because other keywords depend on them. */
function withGroups(schema: Record<string, unknown>): Record<string, unknown> {
  const properties = Object.entries(objectOf(schema.properties));
  if (properties.length <= maxNested) return schema;
  const groups = Map.groupBy(properties.entries(), ([at]) => Math.floor(at / maxNested));
  const parts = [...groups.values()].map((group) => ({
    properties: Object.fromEntries(group.map(([, property]) => property)),
  }));
  const names = mapOwn(objectOf(schema.properties), () => true);
  return { ...schema, properties: names, allOf: [...listOf(schema.allOf), ...parts] };
}

/**
 * If only `properties` and `patternProperties` evaluate properties, `unevaluatedProperties` forbids the same as
 * `additionalProperties`, for which Ajv does not collect the names of a value: that takes half of the time.
 */
function withoutCollecting(schema: Record<string, unknown>): Record<string, unknown> {
  const { unevaluatedProperties, ...rest } = schema;
  const isAlone = !['additionalProperties', '$ref', 'allOf', ...branching].some((name) => name in schema);
  return unevaluatedProperties !== undefined && 'patternProperties' in schema && isAlone
    ? { ...rest, additionalProperties: unevaluatedProperties }
    : schema;
}

/** Makes Ajv know what is evaluated. It counts the properties of an `if` that does not match, so that becomes alternatives. */
function withEvaluated(
  schema: Record<string, unknown>,
  tracking: readonly string[],
): Record<string, unknown> {
  const { if: condition, then: met, else: unmet, ...rest } = schema;
  if ('if' in schema)
    rest.allOf = [
      ...listOf(rest.allOf),
      {
        tracked: true,
        anyOf: [{ allOf: [condition, met ?? true] }, { allOf: [{ not: condition }, unmet ?? true] }],
      },
    ];
  return tracking.some((name) => name in schema) ? { tracked: true, ...rest } : rest;
}

/** Whether a schema is short, has no other schemas inside, and refers to none. */
const isSimple = (schema: unknown): boolean =>
  isObject(schema) &&
  !Object.hasOwn(schema, '$ref') &&
  Object.values(schema).every((value) =>
    Array.isArray(value) ? value.length <= 20 && !value.some(isStructured) : !isStructured(value),
  );

const isStructured = (value: unknown): boolean => typeof value === 'object' && value !== null;

interface Discriminator {
  property: string;
  branches: Readonly<Record<string, string>>;
}

const isDiscriminator = (value: unknown): value is Discriminator =>
  isObject(value) && typeof value.property === 'string' && typeof value.branches === 'object';
