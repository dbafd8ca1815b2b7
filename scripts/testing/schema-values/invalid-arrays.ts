import fc from 'fast-check';
import { type Alternative, alternativesOf, schemasOfItem } from './alternatives.ts';
import type { MakeValues } from './arbitrary.ts';
import { arraysOfLength, itemCounts, tupleLength } from './arrays.ts';
import type { SchemaContext } from './schema-context.ts';
import type { ViolationGenerator } from './violation.ts';

/**
 * Returns generators of arrays that violate a keyword about uniqueness, `contains` or additional items. Boundary values
 * violate lengths.
 */
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
    const { uniqueItems, contains, minContains = 1, maxContains } = schema;
    return [
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

/** Arrays of maximum length plus an item that `items: false` or `unevaluatedItems: false` forbids. */
const full = (alternative: Alternative, make: MakeValues, max: number): fc.Arbitrary<unknown> =>
  arraysOfLength(alternative, make, { min: max, max }).map((list) => [...list, 'one more']);
