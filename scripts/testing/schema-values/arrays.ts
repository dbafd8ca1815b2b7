import fc from 'fast-check';
import { type Alternative, alternativesOf, schemasOfItem } from './alternatives.ts';
import type { Make } from './arbitrary.ts';
import { canonical } from './schema.ts';
import type { World } from './schema-context.ts';

export interface Counts {
  min: number;
  max: number;
}

/** How many items there may be; less where those beyond the first ones may not be anything. */
export function countsOf(world: World, alternative: Alternative): Counts {
  const { pieces } = alternative;
  const min = Math.max(0, ...pieces.map((schema) => schema.minItems ?? 0));
  const max = Math.min(
    Number.POSITIVE_INFINITY,
    ...pieces.map((schema) => schema.maxItems ?? Number.POSITIVE_INFINITY),
  );
  const tuple = tupleLength(alternative);
  for (let place = 0; place <= tuple; place += 1)
    if (alternativesOf(world, schemasOfItem(alternative, place)).length === 0)
      return { min, max: Math.min(max, place) };
  return { min, max };
}

/** How many items have schemas of their own. */
export const tupleLength = ({ pieces }: Alternative): number =>
  Math.max(0, ...pieces.map((schema) => schema.prefixItems?.length ?? 0));

/** Whether no item may come twice. */
export const isUnique = ({ pieces }: Alternative): boolean =>
  pieces.some((schema) => schema.uniqueItems === true);

/** Beyond what is asked for: most faults show with few. */
const usualMore = 3;

/** Lists that fit; undefined where there are none. */
export function lists(world: World, alternative: Alternative, make: Make): fc.Arbitrary<unknown> | undefined {
  const { min, max } = countsOf(world, alternative);
  if (min > max) return undefined;
  return listsOf(alternative, make, { min, max: Math.min(max, min + usualMore) });
}

/** Lists of so many items, each of which fits. */
export function listsOf(alternative: Alternative, make: Make, { min, max }: Counts): fc.Arbitrary<unknown[]> {
  const tuple = tupleLength(alternative);
  const first = Array.from({ length: Math.min(tuple, max) }, (_, place) =>
    make(schemasOfItem(alternative, place)),
  );
  const rest = max > tuple ? make(schemasOfItem(alternative, tuple)) : undefined;
  const many = { minLength: Math.max(0, min - tuple), maxLength: Math.max(0, max - tuple) };
  const others = () => {
    if (!rest || many.maxLength === 0) return fc.constant([]);
    if (!isUnique(alternative)) return fc.array(rest, many);
    return fc.uniqueArray(rest, { ...many, selector: canonical });
  };
  // A list may end before its tuple does.
  const head = fc
    .tuple(fc.integer({ min: Math.min(min, first.length), max: first.length }), fc.tuple(...first))
    .map(([length, all]) => ({ all: all.slice(0, length), whole: length === first.length }));
  const whole = fc
    .tuple(head, others())
    .map(([{ all, whole: isWhole }, more]) => (isWhole ? [...all, ...more] : all));
  const contained = alternative.pieces.flatMap((schema) =>
    schema.contains === undefined
      ? []
      : Array.from({ length: schema.minContains ?? 1 }, () => schema.contains ?? true),
  );
  if (contained.length === 0) return whole;
  const wanted = contained.map((each) => make([each, ...schemasOfItem(alternative, tuple)]));
  return fc
    .tuple(whole, fc.tuple(...wanted))
    .map(([all, needed]) => [...all.slice(0, Math.max(tuple, max - needed.length)), ...needed]);
}
