import fc from 'fast-check';
import { type Alternative, haveAlternatives, type Range, rangeOf, schemasOfItem } from './alternatives.ts';
import { type MakeValues, UnsatisfiableSchema } from './arbitrary.ts';
import { canonicalJson } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/** Returns the allowed range of array lengths. An item whose schema no value satisfies limits the maximum. */
export function itemCounts(context: SchemaContext, alternative: Alternative): Range {
  const { min, max } = rangeOf(alternative, 'minItems', 'maxItems');
  const tuple = tupleLength(alternative);
  for (let index = 0; index <= tuple; index += 1)
    if (!haveAlternatives(context, schemasOfItem(alternative, index)))
      return { min, max: Math.min(max, index) };
  return { min, max };
}

/** Returns the number of items that have schemas of their own (`prefixItems`). */
export const tupleLength = (alternative: Alternative): number =>
  Math.max(0, ...alternative.map((schema) => schema.prefixItems?.length ?? 0));

/** Whether items must be unique. */
const isUnique = (alternative: Alternative): boolean =>
  alternative.some((schema) => schema.uniqueItems === true);

/** Maximum number of items beyond the minimum. A few items are enough to show most bugs. */
const defaultMore = 3;

/** Generates arrays; undefined if no value is valid. */
export function arrays(
  context: SchemaContext,
  alternative: Alternative,
  make: MakeValues,
): fc.Arbitrary<unknown> | undefined {
  const { min, max } = itemCounts(context, alternative);
  if (min > max) return undefined;
  return arraysOfLength(alternative, make, { min, max: Math.min(max, min + defaultMore) });
}

/** Stop after this many items without a new value. */
const maxRepeated = 500;

/**
 * Creates a function that returns the key by which items are compared. If there are fewer different values than
 * required items, fast-check would search forever.
 * @throws UnsatisfiableSchema during generation, if new values no longer appear
 */
function distinctKey(needed: number): (item: unknown) => string {
  const known = new Set<string>();
  let repeated = 0;
  return (item) => {
    const key = canonicalJson(item);
    repeated = known.has(key) ? repeated + 1 : 0;
    if (known.size < needed) known.add(key);
    if (known.size < needed && repeated > maxRepeated)
      throw new UnsatisfiableSchema(
        `There are only ${known.size} different items, but ${needed} are needed.`,
      );
    return key;
  };
}

/** Generates arrays whose length is in a given range. */
export function arraysOfLength(
  alternative: Alternative,
  make: MakeValues,
  { min, max }: Range,
): fc.Arbitrary<unknown[]> {
  const tuple = tupleLength(alternative);
  const first = Array.from({ length: Math.min(tuple, max) }, (_, index) =>
    make(schemasOfItem(alternative, index)),
  );
  const rest = max > tuple ? make(schemasOfItem(alternative, tuple)) : undefined;
  const many = { minLength: Math.max(0, min - tuple), maxLength: Math.max(0, max - tuple) };
  const others = () => {
    if (!rest || many.maxLength === 0) return fc.constant([]);
    if (!isUnique(alternative)) return fc.array(rest, many);
    return fc.uniqueArray(rest, { ...many, selector: distinctKey(many.minLength) });
  };
  // An array may have fewer items than `prefixItems` has schemas.
  const head = fc
    .tuple(fc.integer({ min: Math.min(min, first.length), max: first.length }), fc.tuple(...first))
    .map(([length, all]) => ({ all: all.slice(0, length), whole: length === first.length }));
  const whole = fc
    .tuple(head, others())
    .map(([{ all, whole: isWhole }, more]) => (isWhole ? [...all, ...more] : all));
  const contained = alternative.flatMap((schema) =>
    schema.contains === undefined
      ? []
      : Array.from({ length: schema.minContains ?? 1 }, () => schema.contains ?? true),
  );
  if (contained.length === 0) return whole;
  // What `contains` matches is evaluated.
  const open = alternative.map(({ unevaluatedItems: _unevaluated, ...rest }) => rest);
  const wanted = contained.map((each) => make([each, ...schemasOfItem(open, tuple)]));
  return fc
    .tuple(whole, fc.tuple(...wanted))
    .map(([all, needed]) => [...all.slice(0, Math.max(tuple, max - needed.length)), ...needed]);
}
