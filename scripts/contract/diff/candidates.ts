import type fc from 'fast-check';
import { isObject } from '../../../server/lib/json-object.ts';
import { sampleValues, tryGenerate } from '../../testing/schema-values/arbitrary.ts';
import { boundaryValuesOf } from '../../testing/schema-values/boundary-values.ts';
import { eachInvalidValueOf } from '../../testing/schema-values/invalid-values.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { textsMatching } from '../../testing/schema-values/strings.ts';
import { subschemasOf } from '../../testing/schema-values/subschemas.ts';
import { someValuesOf, valuesOf } from '../../testing/schema-values/values.ts';
import type { SchemaSide } from './schema-side.ts';
import type { WorkBudget } from './work-budget.ts';

const maxValid = 300;
const maxInvalid = 12;

/**
 * The depth at which values of the parts that lead to a change begin, instead of 0. Deep values have only required properties,
 * but these parts are few, so their values may be 20 levels deeper.
 */
export const depthOfParts = -20;

/**
 * Generates values that `allowing` may accept and `rejecting` may reject: random values of `allowing`, boundary values
 * of both, and invalid values of `rejecting`.
 * @param budget of the contexts of both
 * @param depth at which the values begin
 */
export function* candidates(
  allowing: SchemaSide,
  rejecting: SchemaSide,
  budget: WorkBudget,
  depth = 0,
): Generator<unknown> {
  const values = () => valuesOf(allowing.context, [allowing.schema], depth);
  for (const kind of [validOf, boundariesOf, withOtherNames, withOtherParts, invalidOf])
    yield* budget.limited(kind(values, allowing, rejecting));
}

type Make = () => fc.Arbitrary<unknown>;

function* validOf(values: Make): Generator<unknown> {
  yield* sampleValues(values(), maxValid);
}

function* boundariesOf(_values: Make, allowing: SchemaSide, rejecting: SchemaSide): Generator<unknown> {
  for (const { context, schema } of [rejecting, allowing])
    for (const { value } of tryGenerate(() => boundaryValuesOf(context, schema))?.values ?? []) yield value;
}

function* invalidOf(
  _values: Make,
  _allowing: SchemaSide,
  { context, schema }: SchemaSide,
): Generator<unknown> {
  for (const { values } of eachInvalidValueOf(context, schema))
    for (const { value } of safely(sampleValues(values, maxInvalid))) yield value;
}

// Maximum number of property names per pattern, and of values that get these names.
const maxNamed = 6;
// Maximum number of constants, and of items in a list.
const maxLiterals = 12;
const maxItems = 2_000;
// Number of values of which the longest are used, and their maximum length as JSON.
const maxSampled = 60;
const maxText = 400;
const anything = ['', 'aaaaaaaaaaaaaaaaaaaa', 0, 1.5, true, null, {}, []];

/**
 * Generates values with property names that match a pattern of either version, or that are at the limits of
 * `propertyNames`, because random names rarely do.
 */
function* withOtherNames(make: Make, ...sides: readonly SchemaSide[]): Generator<unknown> {
  const values = make();
  const found = sides.map(({ context, schema }) => ({ context, ...namedPartsOf(context, schema) }));
  const patterns = new Set(found.flatMap((side) => side.patterns));
  const lists = [
    ...[...patterns].map(
      (pattern) => tryGenerate(() => [...sampleValues(textsMatching(pattern), maxNamed)]) ?? [],
    ),
    ...found.flatMap(({ context, schemas }) =>
      schemas.map((schema) =>
        [
          ...someValuesOf(context, schema, maxNamed),
          ...(tryGenerate(() => boundaryValuesOf(context, schema))?.values ?? []).map(({ value }) => value),
        ].filter((name) => typeof name === 'string'),
      ),
    ),
  ];
  for (const names of lists) {
    for (const value of safely(sampleValues(values, maxNamed)))
      for (const name of names) for (const given of anything) yield* withProperties(value, { [name]: given });
  }
}

/**
 * Generates values with a part that the schemas name: a constant in place of each scalar and as an additional
 * property, and lists as long as their limits, of items that are valid together.
 */
function* withOtherParts(make: Make, ...sides: readonly SchemaSide[]): Generator<unknown> {
  const values = make();
  const found = sides.map(({ context, schema }) => namedPartsOf(context, schema));
  const literals = [...new Set(found.flatMap((side) => side.literals))].slice(0, maxLiterals);
  const lengths = [...new Set(found.flatMap((side) => side.lengths))].filter((length) => length <= maxItems);
  for (const value of fullestOf(values))
    yield* replaced(value, (part) => {
      if (Array.isArray(part) && part.length > 0)
        return [part.length + 1, ...lengths].map((length) =>
          Array.from({ length }, (_, index) => part[index % part.length]),
        );
      return isObject(part) ? literals.map((literal) => ({ ...part, other: literal })) : literals;
    });
}

/** Returns the longest of some values, because short ones lack the optional parts. */
const fullestOf = (values: fc.Arbitrary<unknown>): unknown[] =>
  [...safely(sampleValues(values, maxSampled))]
    .map((value) => ({ value, length: JSON.stringify(value).length }))
    .filter(({ length }) => length <= maxText)
    .sort((one, other) => other.length - one.length)
    .slice(0, maxNamed)
    .map(({ value }) => value);

/** Yields a copy of a value for each replacement of each part of it. */
export function* replaced(
  value: unknown,
  replacementsOf: (part: unknown) => Iterable<unknown>,
): Generator<unknown> {
  yield* replacementsOf(value);
  if (Array.isArray(value))
    for (const [index, inner] of value.entries())
      for (const each of replaced(inner, replacementsOf)) yield value.with(index, each);
  else if (isObject(value))
    for (const [key, inner] of Object.entries(value))
      for (const each of replaced(inner, replacementsOf)) yield { ...value, [key]: each };
}

// Names of various lengths and characters, for `propertyNames`.
const unnamed = ['other', 'Other-1', 'o'.repeat(64), '1', 'another', 'others'];

/**
 * Generates values with additional properties that neither version names: what open objects allow.
 * @param part the part of the schema of `allowing` for which values are generated
 * @throws UnsatisfiableSchema
 */
export function* withUnnamed(
  allowing: SchemaSide,
  rejecting: SchemaSide,
  part: JsonSchema,
): Generator<unknown> {
  const sides = [allowing, rejecting].map(({ context, schema }) => namedPartsOf(context, schema));
  const names = sides.flatMap((side) => side.names);
  // The compiled schema decides whether a name matches, within its limits.
  const matches = {
    patternProperties: Object.fromEntries(
      sides.flatMap(({ patterns }) => patterns).map((pattern) => [pattern, false]),
    ),
  };
  const isNamed = (name: string) =>
    names.includes(name) || !rejecting.context.isValid(matches, { [name]: 1 });
  for (const value of sampleValues(valuesOf(allowing.context, [part], depthOfParts), maxNamed))
    for (const given of ['text', 1, null]) {
      const added = unnamed.filter((name) => !isNamed(name)).map((name) => ({ [name]: given }));
      for (const each of added) yield* withProperties(value, each);
      // Several of them, for `maxProperties`.
      for (let count = 2; count <= added.length; count += 1)
        yield* withProperties(value, Object.assign({}, ...added.slice(0, count)));
    }
}

/** Yields a copy of a value for each object in it, with the properties added to that object. */
const withProperties = (value: unknown, added: Record<string, unknown>): Generator<unknown> =>
  replaced(value, (part) => (isObject(part) ? [{ ...part, ...added }] : []));

/** Returns the names of properties, the patterns and schemas of their names, constants, and limits of lists. */
export function namedPartsOf(
  context: SchemaContext,
  schema: JsonSchema,
): { names: string[]; patterns: string[]; schemas: JsonSchema[]; literals: unknown[]; lengths: number[] } {
  const names = new Set<string>();
  const patterns = new Set<string>();
  const schemas = new Set<JsonSchema>();
  const literals: unknown[] = [];
  const lengths: number[] = [];
  const seen = new Set<JsonSchema>();
  const visit = (each: JsonSchema): void => {
    if (typeof each === 'boolean' || seen.has(each)) return;
    seen.add(each);
    for (const name of Object.keys(each.properties ?? {})) names.add(name);
    for (const pattern of Object.keys(each.patternProperties ?? {})) patterns.add(pattern);
    if (each.propertyNames !== undefined) schemas.add(each.propertyNames);
    if ('const' in each) literals.push(each.const);
    for (const value of each.enum ?? []) literals.push(value);
    for (const limit of [each.minimum, each.maximum, each.exclusiveMinimum, each.exclusiveMaximum])
      if (limit !== undefined) literals.push(limit, limit - 1, limit + 1);
    for (const limit of [each.minItems, each.maxItems, each.minContains, each.maxContains])
      if (limit !== undefined) lengths.push(Math.max(0, limit - 1), limit, limit + 1);
    for (const inner of subschemasOf(each)) visit(inner.schema);
    if (each.$ref !== undefined) visit(context.resolve(each.$ref));
  };
  visit(schema);
  return { names: [...names], patterns: [...patterns], schemas: [...schemas], literals, lengths };
}

/** Yields values until the generator fails. */
function* safely<T>(values: Generator<T>): Generator<T> {
  for (;;) {
    const next = tryGenerate(() => values.next());
    if (!next || next.done) return;
    yield next.value;
  }
}
