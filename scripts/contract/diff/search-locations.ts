import type { CompatibilityProof } from './compatibility-proof.ts';
import type { CounterexampleSearch, FindCounterexamples } from './counterexample.ts';
import type { RequestTrials } from './request-trials.ts';
import { locationsByName, type Reach, type SchemaLocation } from './schema-locations.ts';

/** The result of a search at a location. */
export interface LocationSearch extends CounterexampleSearch {
  /** The location in the new contract. */
  location: SchemaLocation;
  /** The location in the old contract. */
  before: SchemaLocation;
}

interface Side {
  locations: readonly SchemaLocation[];
  reach: Reach;
}

/**
 * Maximum number of locations to search among those with the same changed schemas. If the first locations yield no
 * counterexample, further locations rarely do.
 */
const maxAlike = 4;

/** Searches for counterexamples at every location that differs between the versions. */
export function searchLocations(
  old: Side,
  next: Side,
  { find, isCompatibleAt }: { find: FindCounterexamples } & Pick<CompatibilityProof, 'isCompatibleAt'>,
): LocationSearch[] {
  const pairs = pairsOf(old.locations, next.locations)
    .map(([before, after]) => {
      const [was, is] = [old.reach.parts(before), next.reach.parts(after)];
      const size = is.values().reduce((sum, text) => sum + text.length, 0);
      return { before, after, size, differing: differenceOf(was, is, after.name) };
    })
    .filter(({ differing }) => differing.length > 0);
  // Small schemas come first, because they produce short counterexamples.
  pairs.sort((a, b) => a.size - b.size);
  const found: LocationSearch[] = [];
  const alike = new Map<string, number>();
  for (const { before, after, differing } of pairs) {
    const name = `${before.direction} ${differing.join(' ')}`;
    const searched = alike.get(name) ?? 0;
    if (searched >= maxAlike) continue;
    // A location that is proven compatible is skipped, because the search takes most of the time.
    if (isCompatibleAt(before, after)) continue;
    const search = find(before, after);
    alike.set(name, search.counterexamples.length > 0 ? maxAlike : searched + 1);
    found.push({ location: after, before, ...search });
  }
  return found;
}

/**
 * Pairs the locations of both versions. An added or removed location is paired with the location that applies instead,
 * such as the `default` response.
 */
function pairsOf(
  old: readonly SchemaLocation[],
  next: readonly SchemaLocation[],
): [SchemaLocation, SchemaLocation][] {
  const [before, after] = [locationsByName(old), locationsByName(next)];
  const standingIn = ({ name, otherwise }: SchemaLocation, locations: typeof before) =>
    [name, ...otherwise].map((each) => locations.get(each)).filter((found) => found !== undefined)[0];
  const pairs = [
    ...old.map((location) => [location, standingIn(location, after)]),
    ...next
      .filter(({ name }) => !before.has(name))
      .map((location) => [standingIn(location, before), location]),
  ];
  return pairs.flatMap(([one, other]) => (one && other ? [[one, other]] : []));
}

type Parts = ReturnType<Reach['parts']>;

/** Returns the pointers of shared schemas that differ, and the location's name if its own schema differs. */
function differenceOf(old: Parts, next: Parts, location: string): string[] {
  const names = new Set([...old.keys(), ...next.keys()]);
  return [...names]
    .filter((name) => old.get(name) !== next.get(name))
    .map((name) => name || location)
    .sort();
}

/**
 * Sends the counterexamples of requests to both versions, and leaves out those that do not show a difference: a value that
 * cannot be sent, or one that the revision reads from its text as well.
 */
export const sendCounterexamples = (
  searches: readonly LocationSearch[],
  trials: RequestTrials,
): Promise<LocationSearch[]> =>
  Promise.all(
    searches.map(async (search) => {
      const { before, counterexamples } = search;
      if (before.direction !== 'requests' || !(await trials.canTry(before))) return search;
      const part = before.name.slice(before.operation.length + 1).split(' ')[0] ?? '';
      const sent = await Promise.all(
        counterexamples.map(async (each) => ({
          ...each,
          request: await trials.tryValue(before, each.value),
        })),
      );
      const shown = sent.flatMap(({ request, ...each }) => {
        if (request === 'untried') return [each];
        return request?.lost.some((lost) => lost.startsWith(part)) ? [{ ...each, request }] : [];
      });
      return { ...search, counterexamples: shown };
    }),
  );
