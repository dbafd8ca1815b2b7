import fc from 'fast-check';
import { isPureReference } from '../../lib/json-pointer.ts';
import {
  type Alternative,
  allowedTypes,
  alternativesOf,
  hasType,
  identityOf,
  listedValues,
  needsFilter,
  withoutRepetition,
} from './alternatives.ts';
import {
  filterOrThrow,
  type MakeValues,
  sampleValues,
  tryGenerate,
  tryValue,
  UnsatisfiableSchema,
} from './arbitrary.ts';
import { arrays } from './arrays.ts';
import { typesOfKeyword } from './keywords.ts';
import { integers, numbers } from './numbers.ts';
import { objects } from './objects.ts';
import type { JsonSchema, JsonType } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';
import { strings } from './strings.ts';

// From this nesting depth on, values have only required properties, so that recursion ends.
const fullDepth = 5;
// From this depth on, objects have only some of their optional properties, because values grow exponentially with
// depth.
const wideDepth = 3;
const someProperties = 3;
const maxDepth = 40;
/** Values with more parts have fewer optional properties: schemas that refer to several others would ask for thousands. */
const maxParts = 500;
/** The number of items of a list, for the estimate of its parts. */
const usualItems = 2;
/** Number of values whose generation takes as long as it takes to find out how an alternative is generated. */
const perAlternative = 200;
/** Ratio of existing IDs to generated IDs, if existing IDs are known. */
const existingPerGenerated = 7;

/** Maximum number of arguments of a call, because each takes a place on the stack. */
const maxArguments = 10_000;

interface Values {
  values: fc.Arbitrary<unknown>;
  /** The estimated number of objects, lists and scalars in a value with all optional properties. */
  parts: number;
}

/** Called for each value inside another one, with the estimated number of its parts. */
type Count = (parts: number) => void;

const cache = new WeakMap<SchemaContext, Map<string, Values | UnsatisfiableSchema>>();
const numbersOfSchemas = new WeakMap<object, number>();
let lastNumber = 0;

/** Identifies schemas by object identity, not by content, except pure references: a union may have many of the same. */
function nameOf(schemas: readonly JsonSchema[]): string {
  const names = schemas.map((schema) => {
    const identity = identityOf(schema);
    if (typeof identity !== 'object') return identity;
    const number = numbersOfSchemas.get(identity) ?? ++lastNumber;
    numbersOfSchemas.set(identity, number);
    return number;
  });
  return JSON.stringify(names);
}

/**
 * Generates values that satisfy all given schemas.
 * @param schemas schemas from `context.document`
 * @param depth number of lists and objects around the values
 * @throws UnsatisfiableSchema
 */
export function valuesOf(
  context: SchemaContext,
  schemas: readonly JsonSchema[],
  depth = 0,
): fc.Arbitrary<unknown> {
  const { values, parts } = valuesAt(context, schemas, depth);
  return parts <= maxParts || depth >= fullDepth ? values : valuesOf(context, schemas, depth + 1);
}

function valuesAt(context: SchemaContext, schemas: readonly JsonSchema[], at: number): Values {
  // Of any values, lists and objects inside each other would be estimated to have exponentially many parts.
  const isAny = schemas.every((schema) => schema === true);
  const depth = isAny ? Math.max(0, at) : at;
  if (depth > maxDepth) throw new UnsatisfiableSchema('The schema asks for itself without end.');
  // Recursive schemas lead to the same combinations again, so their generators are cached, or that they have none.
  const known = cache.get(context) ?? new Map<string, Values | UnsatisfiableSchema>();
  cache.set(context, known);
  const all = withoutRepetition(schemas);
  const name = `${depth} ${nameOf(all)}`;
  const values = known.get(name) ?? valuesOrCause(context, all, depth);
  known.set(name, values);
  if (values instanceof UnsatisfiableSchema) throw values;
  // Most of these values are scalars.
  return isAny ? { ...values, parts: 1 } : values;
}

function valuesOrCause(
  context: SchemaContext,
  schemas: readonly JsonSchema[],
  depth: number,
): Values | UnsatisfiableSchema {
  try {
    return ofAlternatives(context, schemas, depth);
  } catch (error) {
    if (error instanceof UnsatisfiableSchema) return error;
    throw error;
  }
}

/** Returns at most `count` valid values of a schema; none if they cannot be generated. */
export const someValuesOf = (context: SchemaContext, schema: JsonSchema, count: number): unknown[] =>
  tryGenerate(() => [...sampleValues(valuesOf(context, [schema]), count)]) ?? [];

/** Generates values of any alternative. */
function ofAlternatives(context: SchemaContext, schemas: readonly JsonSchema[], depth: number): Values {
  const sparing = depth >= fullDepth;
  const goesOn = (alternative: Alternative) =>
    allowedTypes(alternative).every((type) => type === 'array' || type === 'object');
  const all = alternativesOf(context, schemas);
  context.assertTime(all.length);
  // In deeply nested values, only the first alternative is used, so alternatives without nesting come first.
  const { yes: nested = [], no: flat = [] } = sparing
    ? Object.groupBy(all, (each) => (goesOn(each) ? 'yes' : 'no'))
    : { no: all };
  const alternatives = [...flat, ...nested];
  const ways: fc.Arbitrary<unknown>[] = [];
  const causes: string[] = [];
  let most = 1;
  for (const alternative of alternatives) {
    context.assertTime(perAlternative);
    let parts = 1;
    const values = tryGenerate(() => {
      const made = valuesOfAlternative(context, alternative, depth, (inside) => (parts += inside));
      // The keywords of a schema may contradict each other, and a branch of `oneOf` may lie inside another one.
      const mayBeImpossible = needsFilter(alternative) || alternative.some((each) => 'pattern' in each);
      if (made && mayBeImpossible) tryValue(made, alternatives.length);
      return made;
    }, causes);
    if (values) ways.push(values);
    most = Math.max(most, parts);
    if (values && sparing) break;
  }
  const [first, ...others] = ways;
  if (!first)
    throw new UnsatisfiableSchema(causes[0] ?? `Nothing fits ${JSON.stringify(schemas).slice(0, 300)}`);
  return { values: others.length === 0 ? first : fc.oneof(first, ...others), parts: most };
}

const maxOptionalAt = (depth: number): number =>
  depth < wideDepth ? Number.POSITIVE_INFINITY : depth < fullDepth ? someProperties : 0;

/** Generates values of one alternative; undefined if no value is valid. */
function valuesOfAlternative(
  context: SchemaContext,
  alternative: Alternative,
  depth: number,
  count: Count,
): fc.Arbitrary<unknown> | undefined {
  const defaultValue = unnamedValues(context, alternative, depth, count);
  const kinds = alternative.flatMap((schema) => schema['x-id-of'] ?? []);
  if (!defaultValue || kinds.length === 0) return defaultValue;
  const there = () =>
    kinds
      .flatMap((kind) => context.known(String(kind)))
      .filter((id) => alternative.every((schema) => context.isValid(schema, id)));
  // Known IDs change between runs, so they are read when a value is generated.
  return fc
    .tuple(defaultValue, fc.nat({ max: 999 }), fc.nat({ max: existingPerGenerated }))
    .map(([value, any, prng]) => {
      const ids = prng > 0 ? there() : [];
      return ids.length > 0 ? ids[any % ids.length] : value;
    });
}

function unnamedValues(
  context: SchemaContext,
  alternative: Alternative,
  depth: number,
  count: Count,
): fc.Arbitrary<unknown> | undefined {
  const types = allowedTypes(alternative);
  const listed = listedValues(context, alternative);
  if (listed) {
    const left = listed.filter((value) => hasType(types, value));
    if (left.length === 0) return undefined;
    return left.length > maxArguments
      ? fc.nat({ max: left.length - 1 }).map((at) => left[at])
      : fc.constantFrom(...left);
  }
  // `number` includes integers.
  const tried = types.filter((type) => type !== 'integer' || !types.includes('number'));
  const byType = tried.flatMap((type) => {
    const values = ofType(context, alternative, type, depth, count);
    return values ? [{ arbitrary: values, weight: weightOf(type, tried.length, alternative) }] : [];
  });
  if (byType.length === 0) return undefined;
  const made = byType.length === 1 && byType[0] ? byType[0].arbitrary : fc.oneof(...byType);
  const values = made.map((value) => {
    context.assertTime();
    return value;
  });
  const combined = alternative.filter((schema) => schema.$ref === undefined || !isPureReference(schema));
  // Generators do not combine all keywords of several schemas, so the compiled schemas filter the values.
  if (!needsFilter(alternative) && combined.length < 2) return values;
  const fits = (value: unknown) => alternative.every((schema) => context.isValid(schema, value));
  return filterOrThrow(values, fits, JSON.stringify(alternative).slice(0, 500));
}

/**
 * Returns a lower weight for null, and for arrays and objects if the schema allows any type. Without a type, most values have
 * one that its keywords are about.
 */
function weightOf(type: JsonType, count: number, alternative: Alternative): number {
  const anyType = alternative.every((schema) => schema.type === undefined);
  const isMeant = (word: string) => typesOfKeyword(word)?.test(type) === true;
  if (anyType && alternative.some((schema) => Object.keys(schema).some(isMeant))) return 1_000;
  if (type === 'null') return count > 1 ? 1 : 3;
  return anyType && (type === 'array' || type === 'object') ? 1 : 3;
}

function ofType(
  context: SchemaContext,
  alternative: Alternative,
  type: JsonType,
  depth: number,
  count: Count,
): fc.Arbitrary<unknown> | undefined {
  const make: MakeValues = (schemas) => {
    const { values, parts } = valuesAt(context, schemas, depth + 1);
    count(type === 'array' ? usualItems * parts : parts);
    return values;
  };
  const sparing = depth >= fullDepth;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return integers(alternative);
    case 'number':
      return numbers(alternative);
    case 'string':
      return strings(alternative);
    case 'array':
      return sparing && !alternative.some((schema) => schema.minItems ?? schema.contains)
        ? fc.constant([])
        : arrays(context, alternative, make);
    case 'object':
      return objects(context, alternative, make, maxOptionalAt(depth));
  }
}
