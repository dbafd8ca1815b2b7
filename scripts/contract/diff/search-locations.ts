import type { CompatibilityProof } from './compatibility-proof.ts';
import type { CounterexampleSearch, FindCounterexamples } from './counterexample.ts';
import type { Reach, SchemaLocation } from './schema-locations.ts';

/** What a search has found at a place. */
export interface LocationSearch extends CounterexampleSearch {
  /** As it is in the new contract. */
  location: SchemaLocation;
  before: SchemaLocation;
}

interface Side {
  locations: readonly SchemaLocation[];
  reach: Reach;
}

/**
 * How many places are searched at which the same shared schemas differ and nothing else does. One that shows something
 * is enough; where the first ones show nothing, nobody would wait for a hundred.
 */
const maxAlike = 4;

/** Looks for witnesses at every place that is in both contracts and says something else in each. */
export function searchLocations(
  old: Side,
  next: Side,
  { find, isCompatibleAt }: { find: FindCounterexamples } & Pick<CompatibilityProof, 'isCompatibleAt'>,
): LocationSearch[] {
  const pairs = pairsOf(old.locations, next.locations)
    .map(([before, after]) => ({
      before,
      after,
      differing: differenceOf(old.reach, before, next.reach, after),
    }))
    .filter(({ differing }) => differing.length > 0);
  // Short values are found first at small places.
  const size = ({ after }: { after: SchemaLocation }) => next.reach.said(after).length;
  pairs.sort((a, b) => size(a) - size(b));
  const found: LocationSearch[] = [];
  const alike = new Map<string, number>();
  for (const { before, after, differing } of pairs) {
    const name = `${before.direction} ${differing.join(' ')}`;
    const searched = alike.get(name) ?? 0;
    if (searched >= maxAlike) continue;
    // What is proven needs no search, which takes most of the time.
    if (isCompatibleAt(before, after)) continue;
    const search = find(before, after);
    alike.set(name, search.counterexamples.length > 0 ? maxAlike : searched + 1);
    found.push({ location: after, before, ...search });
  }
  return found;
}

/** Each place with its counterpart; where one is not described any more, or newly, with what stands in for it. */
function pairsOf(
  old: readonly SchemaLocation[],
  next: readonly SchemaLocation[],
): [SchemaLocation, SchemaLocation][] {
  const [before, after] = [old, next].map(
    (locations) => new Map(locations.map((location) => [location.name, location])),
  );
  const standingIn = (location: SchemaLocation, locations: Map<string, SchemaLocation> | undefined) =>
    [location.name, ...location.otherwise]
      .map((name) => locations?.get(name))
      .find((found) => found !== undefined);
  const kept = old.flatMap((location): [SchemaLocation, SchemaLocation][] => {
    const counterpart = standingIn(location, after);
    return counterpart ? [[location, counterpart]] : [];
  });
  const added = next.flatMap((location): [SchemaLocation, SchemaLocation][] => {
    const counterpart = before?.has(location.name) ? undefined : standingIn(location, before);
    return counterpart ? [[counterpart, location]] : [];
  });
  return [...kept, ...added];
}

/** The shared schemas that say something else, and the place itself where it does. */
function differenceOf(inOld: Reach, before: SchemaLocation, inNext: Reach, after: SchemaLocation): string[] {
  const [old, next] = [inOld.parts(before), inNext.parts(after)];
  const names = new Set([...old.keys(), ...next.keys()]);
  return [...names]
    .filter((name) => old.get(name) !== next.get(name))
    .map((name) => name || after.name)
    .sort();
}
