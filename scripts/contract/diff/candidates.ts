import fc from 'fast-check';
import { sampleValues, tryGenerate } from '../../testing/schema-values/arbitrary.ts';
import { boundaryValuesOf } from '../../testing/schema-values/boundary-values.ts';
import { invalidValuesOf } from '../../testing/schema-values/invalid-values.ts';
import { subschemasOf } from '../../testing/schema-values/keywords.ts';
import { isObject, type JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';

const maxValid = 300;
const maxInvalid = 12;

/** A schema in one version of the contract. */
export interface SchemaVersion {
  context: SchemaContext;
  schema: JsonSchema;
}

/**
 * Generates values that `allowing` may accept and `rejecting` may reject: random values of `allowing`, boundary values
 * of both, and invalid values of `rejecting`.
 */
export function* candidates(allowing: SchemaVersion, rejecting: SchemaVersion): Generator<unknown> {
  const made = tryGenerate(() => valuesOf(allowing.context, [allowing.schema]));
  if (made) yield* safely(sampleValues(made, maxValid));
  for (const { context, schema } of [rejecting, allowing])
    for (const { value } of tryGenerate(() => boundaryValuesOf(context, schema))?.values ?? []) yield value;
  if (made) yield* withNamesOfPatterns(made, [allowing, rejecting]);
  for (const { values } of tryGenerate(() => invalidValuesOf(rejecting.context, rejecting.schema))?.spaces ??
    [])
    for (const { value } of safely(sampleValues(values, maxInvalid))) yield value;
}

// Number of property names per pattern, and of objects that they are added to.
const maxNamed = 6;
const anything = ['', 'aaaaaaaaaaaaaaaaaaaa', 0, 1.5, true, null, {}, []];

/** Generates values with property names that match a pattern of either version, because random names rarely do. */
function* withNamesOfPatterns(
  values: fc.Arbitrary<unknown>,
  sides: readonly SchemaVersion[],
): Generator<unknown> {
  const patterns = sides.flatMap(({ context, schema }) => patternsIn(context, schema));
  for (const pattern of new Set(patterns)) {
    const names =
      tryGenerate(() => [...sampleValues(fc.stringMatching(new RegExp(pattern, 'u')), maxNamed)]) ?? [];
    for (const value of safely(sampleValues(values, maxNamed)))
      for (const name of names) for (const given of anything) yield* withProperty(value, name, given);
  }
}

/** Yields a copy of a value for each object in it, with the property added to that object. */
function* withProperty(value: unknown, name: string, given: unknown): Generator<unknown> {
  if (Array.isArray(value))
    for (const [index, inner] of value.entries())
      for (const each of withProperty(inner, name, given)) yield value.with(index, each);
  if (!isObject(value)) return;
  yield { ...value, [name]: given };
  for (const [key, inner] of Object.entries(value))
    for (const each of withProperty(inner, name, given)) yield { ...value, [key]: each };
}

function patternsIn(context: SchemaContext, schema: JsonSchema): string[] {
  const found = new Set<string>();
  const seen = new Set<JsonSchema>();
  const visit = (each: JsonSchema): void => {
    if (typeof each === 'boolean' || seen.has(each)) return;
    seen.add(each);
    for (const pattern of Object.keys(each.patternProperties ?? {})) found.add(pattern);
    for (const inner of subschemasOf(each)) visit(inner.schema);
    if (each.$ref !== undefined) visit(context.resolve(each.$ref));
  };
  visit(schema);
  return [...found];
}

/** Yields values until generating fails. */
function* safely<T>(values: Generator<T>): Generator<T> {
  for (;;) {
    const next = tryGenerate(() => values.next());
    if (!next || next.done) return;
    yield next.value;
  }
}
