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
  const { min, max } = itemCounts(context, alternative);
  const lists = (least: number, most: number) =>
    arraysOfLength(alternative, make, { min: least, max: Math.max(least, most) });
  const isClosed =
    max < Number.POSITIVE_INFINITY && alternativesOf(context, schemasOfItem(alternative, max)).length === 0;
  const others = () => make([schemasOfItem(alternative, tupleLength(alternative))[0] ?? true]);
  return alternative.conjuncts.flatMap((schema) => {
    const { uniqueItems, contains, minContains = 1, maxContains } = schema;
    const closing = isClosed && ['items', 'unevaluatedItems'].find((word) => schema[word] === false);
    const found: [keyword: string, values: fc.Arbitrary<unknown>][] = [];
    if (uniqueItems)
      found.push([
        'uniqueItems',
        lists(min, Math.min(max, min + 3)).map((list) => [...list, ...list.slice(0, 1)]),
      ]);
    if (closing) found.push([closing, lists(max, max).map((list) => [...list, 'one more'])]);
    if (contains !== undefined && minContains > 0)
      found.push([
        'contains',
        fc.oneof(fc.constant([]), fc.array(others(), { minLength: min, maxLength: min + 3 })),
      ]);
    if (contains !== undefined && maxContains !== undefined)
      found.push([
        'contains',
        fc.array(make([contains]), { minLength: maxContains + 1, maxLength: maxContains + 1 }),
      ]);
    return found.map(([keyword, values]) => ({ keyword, inside: '', values }));
  });
}
