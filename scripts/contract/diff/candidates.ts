import fc from 'fast-check';
import { attempt, drawn } from '../../testing/schema-values/arbitrary.ts';
import { limitsOf } from '../../testing/schema-values/boundary-values.ts';
import { brokenOf } from '../../testing/schema-values/invalid-values.ts';
import { subschemasOf } from '../../testing/schema-values/keywords.ts';
import { isObject, type Schema } from '../../testing/schema-values/schema.ts';
import type { World } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';

const mostSound = 300;
const mostBroken = 12;

/** One version of what is allowed at a place. */
export interface Side {
  world: World;
  schema: Schema;
}

/** Values that one side makes, and values on the limits of the other, or just beyond them. */
export function* candidates(allowing: Side, refusing: Side): Generator<unknown> {
  const made = attempt(() => valuesOf(allowing.world, [allowing.schema]));
  if (made) yield* safely(drawn(made, mostSound));
  for (const { world, schema } of [refusing, allowing])
    for (const { value } of attempt(() => limitsOf(world, schema))?.values ?? []) yield value;
  if (made) yield* withNamesOfPatterns(made, [allowing, refusing]);
  for (const { values } of attempt(() => brokenOf(refusing.world, refusing.schema))?.spaces ?? [])
    for (const { value } of safely(drawn(values, mostBroken))) yield value;
}

// Enough of each for every pattern to meet every kind of value.
const mostNamed = 6;
const anything = ['', 'aaaaaaaaaaaaaaaaaaaa', 0, 1.5, true, null, {}, []];

/** Values with properties whose names fit a pattern of either side: chance finds such names seldom. */
function* withNamesOfPatterns(values: fc.Arbitrary<unknown>, sides: readonly Side[]): Generator<unknown> {
  const patterns = sides.flatMap(({ world, schema }) => patternsIn(world, schema));
  for (const pattern of new Set(patterns)) {
    const names = attempt(() => [...drawn(fc.stringMatching(new RegExp(pattern, 'u')), mostNamed)]) ?? [];
    for (const value of safely(drawn(values, mostNamed)))
      for (const name of names) for (const given of anything) yield* withProperty(value, name, given);
  }
}

/** A value with one property more, in each of its objects. */
function* withProperty(value: unknown, name: string, given: unknown): Generator<unknown> {
  if (Array.isArray(value))
    for (const [index, inner] of value.entries())
      for (const each of withProperty(inner, name, given)) yield value.with(index, each);
  if (!isObject(value)) return;
  yield { ...value, [name]: given };
  for (const [key, inner] of Object.entries(value))
    for (const each of withProperty(inner, name, given)) yield { ...value, [key]: each };
}

function patternsIn(world: World, schema: Schema): string[] {
  const found = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (each: Schema): void => {
    if (typeof each === 'boolean' || seen.has(each)) return;
    seen.add(each);
    for (const pattern of Object.keys(each.patternProperties ?? {})) found.add(pattern);
    for (const inner of subschemasOf(each)) visit(inner.schema);
    if (each.$ref !== undefined) visit(world.resolve(each.$ref));
  };
  visit(schema);
  return [...found];
}

/** What can be made before it turns out that no more can. */
function* safely<T>(values: Generator<T>): Generator<T> {
  for (;;) {
    const next = attempt(() => values.next());
    if (!next || next.done) return;
    yield next.value;
  }
}
