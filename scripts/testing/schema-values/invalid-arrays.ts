import fc from 'fast-check';
import { type Alternative, alternativesOf, schemasOfItem } from './alternatives.ts';
import type { MakeValues } from './arbitrary.ts';
import { arraysOfLength, isUnique, itemCounts, tupleLength } from './arrays.ts';
import type { SchemaContext } from './schema-context.ts';
import type { ViolationGenerator } from './violation.ts';

// Maximum size, because larger values would use too much memory. The report names limits that are not reached.
const mostItems = 2_000;

/** Returns generators of arrays that violate a keyword about length, uniqueness, `contains` or additional items. */
export function arrayViolations(
  context: SchemaContext,
  alternative: Alternative,
  make: MakeValues,
): ViolationGenerator[] {
  const counts = itemCounts(context, alternative);
  const lists = (min: number, max: number) =>
    arraysOfLength(alternative, make, { min, max: Math.max(min, max) });
  const breaker = (keyword: string, values: fc.Arbitrary<unknown>): ViolationGenerator => ({
    keyword,
    inside: '',
    values,
  });
  const defaultValue = lists(counts.min, Math.min(counts.max, counts.min + 3));
  const closed =
    counts.max < Number.POSITIVE_INFINITY &&
    alternativesOf(context, schemasOfItem(alternative, counts.max)).length === 0;
  return alternative.conjuncts.flatMap((schema) => {
    const { minItems, maxItems, uniqueItems, contains, minContains = 1, maxContains } = schema;
    return [
      ...(minItems
        ? [
            breaker(
              'minItems',
              lists(counts.min, minItems).map((list) => list.slice(0, minItems - 1)),
            ),
          ]
        : []),
      ...(maxItems === undefined || maxItems > mostItems
        ? []
        : [breaker('maxItems', tooMany(alternative, make, maxItems))]),
      ...(uniqueItems
        ? [
            breaker(
              'uniqueItems',
              defaultValue.map((list) => [...list, ...list.slice(0, 1)]),
            ),
          ]
        : []),
      ...(closed && ['items', 'unevaluatedItems'].some((word) => schema[word] === false)
        ? [
            breaker(
              schema.items === false ? 'items' : 'unevaluatedItems',
              full(alternative, make, counts.max),
            ),
          ]
        : []),
      ...(contains !== undefined && minContains > 0
        ? [
            breaker(
              'contains',
              fc.oneof(
                fc.constant([]),
                fc.array(make([schemasOfItem(alternative, tupleLength(alternative))[0] ?? true]), {
                  minLength: counts.min,
                  maxLength: counts.min + 3,
                }),
              ),
            ),
          ]
        : []),
      ...(contains !== undefined && maxContains !== undefined
        ? [
            breaker(
              'contains',
              fc.array(make([contains]), { minLength: maxContains + 1, maxLength: maxContains + 1 }),
            ),
          ]
        : []),
    ];
  });
}

/**
 * Generates arrays with one item too many. Shrinking a hundred different items takes hours, so a valid item is repeated
 * unless items must be unique.
 */
function tooMany(alternative: Alternative, make: MakeValues, most: number): fc.Arbitrary<unknown> {
  if (isUnique(alternative)) return arraysOfLength(alternative, make, { min: most + 1, max: most + 1 });
  const head = Math.max(tupleLength(alternative), 1);
  return arraysOfLength(alternative, make, { min: head + 1, max: head + 1 }).map((list) => {
    const rest = list.slice(head);
    return [
      ...list.slice(0, head),
      ...Array.from({ length: most + 1 - head }, (_, index) => structuredClone(rest[index % rest.length])),
    ];
  });
}

/** Arrays of maximum length plus an item that `items: false` or `unevaluatedItems: false` forbids. */
const full = (alternative: Alternative, make: MakeValues, max: number): fc.Arbitrary<unknown> =>
  arraysOfLength(alternative, make, { min: max, max }).map((list) => [...list, 'one more']);
