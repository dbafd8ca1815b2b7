import { findDuplicate } from '../../lib/ajv-runtime.ts';
import { listOf } from '../../lib/json-object.ts';
import { spend } from '../../lib/work-limit.ts';
import type { Place } from './place.ts';
import type { Run } from './run.ts';

/** Applies the keywords for arrays. */
export function applyArrayKeywords(place: Place): void {
  const { schema, value, at, run, outcome, isGuarded, fail, apply: applyTo } = place;
  const items = listOf(value);
  spend(items.length);
  const { maxItems, minItems, uniqueItems, prefixItems, items: rest, contains } = schema;
  if (typeof maxItems === 'number' && items.length > maxItems) fail('maxItems', { limit: maxItems });
  if (typeof minItems === 'number' && items.length < minItems) fail('minItems', { limit: minItems });
  if (uniqueItems === true && !isGuarded) {
    const found = findDuplicate(items);
    if (found) fail('uniqueItems', { ...found });
  }
  const prefix = listOf(prefixItems);
  if (rest !== undefined) outcome.items = true;
  const apply = (item: unknown, schemaOfItem: unknown, index: number): void => {
    if (outcome.items !== true) outcome.items.add(index);
    outcome.isValid =
      applyTo(schemaOfItem, item, { name: index, within: at }, run, false).isValid && outcome.isValid;
  };
  for (const [index, item] of items.entries()) {
    if (run.isFull) break;
    if (index < prefix.length) apply(item, prefix[index], index);
    else if (rest === false) {
      fail('items', { limit: prefix.length });
      break;
    } else if (rest !== undefined) apply(item, rest, index);
  }
  if (contains !== undefined) applyContains(items, contains, place);
}

function applyContains(
  items: readonly unknown[],
  contains: unknown,
  { schema, at, run, outcome, fail, apply: applyTo }: Place,
): void {
  const { minContains = 1, maxContains } = schema;
  let count = 0;
  const others: Run[] = [];
  for (const [index, item] of items.entries()) {
    const own = run.branch();
    if (run.branches === 'all') others.push(own);
    if (!applyTo(contains, item, { name: index, within: at }, own, false).isValid) continue;
    count += 1;
    if (outcome.items !== true) outcome.items.add(index);
  }
  if (count >= Number(minContains) && count <= Number(maxContains ?? count)) return;
  for (const own of others) run.reportInside(own);
  fail('contains', { minContains, maxContains });
}
