import type { Proof } from './compatibility-proof.ts';
import type { FindWitnesses, Search } from './counterexample.ts';
import type { Reach, Site } from './schema-locations.ts';

/** What a search has found at a place. */
export interface Found extends Search {
  /** As it is in the new contract. */
  site: Site;
  before: Site;
}

interface Side {
  sites: readonly Site[];
  reach: Reach;
}

/**
 * How many places are searched at which the same shared schemas differ and nothing else does. One that shows something
 * is enough; where the first ones show nothing, nobody would wait for a hundred.
 */
const mostAlike = 4;

/** Looks for witnesses at every place that is in both contracts and says something else in each. */
export function searchSites(
  old: Side,
  next: Side,
  { find, isHarmlessAt }: { find: FindWitnesses } & Pick<Proof, 'isHarmlessAt'>,
): Found[] {
  const pairs = pairsOf(old.sites, next.sites)
    .map(([before, after]) => ({
      before,
      after,
      differing: differenceOf(old.reach, before, next.reach, after),
    }))
    .filter(({ differing }) => differing.length > 0);
  // Short values are found first at small places.
  const size = ({ after }: { after: Site }) => next.reach.said(after).length;
  pairs.sort((a, b) => size(a) - size(b));
  const found: Found[] = [];
  const alike = new Map<string, number>();
  for (const { before, after, differing } of pairs) {
    const name = `${before.direction} ${differing.join(' ')}`;
    const searched = alike.get(name) ?? 0;
    if (searched >= mostAlike) continue;
    // What is proven needs no search, which takes most of the time.
    if (isHarmlessAt(before, after)) continue;
    const search = find(before, after);
    alike.set(name, search.witnesses.length > 0 ? mostAlike : searched + 1);
    found.push({ site: after, before, ...search });
  }
  return found;
}

/** Each place with its counterpart; where one is not described any more, or newly, with what stands in for it. */
function pairsOf(old: readonly Site[], next: readonly Site[]): [Site, Site][] {
  const [before, after] = [old, next].map((sites) => new Map(sites.map((site) => [site.name, site])));
  const standingIn = (site: Site, sites: Map<string, Site> | undefined) =>
    [site.name, ...site.otherwise].map((name) => sites?.get(name)).find((found) => found !== undefined);
  const kept = old.flatMap((site): [Site, Site][] => {
    const counterpart = standingIn(site, after);
    return counterpart ? [[site, counterpart]] : [];
  });
  const added = next.flatMap((site): [Site, Site][] => {
    const counterpart = before?.has(site.name) ? undefined : standingIn(site, before);
    return counterpart ? [[counterpart, site]] : [];
  });
  return [...kept, ...added];
}

/** The shared schemas that say something else, and the place itself where it does. */
function differenceOf(inOld: Reach, before: Site, inNext: Reach, after: Site): string[] {
  const [old, next] = [inOld.parts(before), inNext.parts(after)];
  const names = new Set([...old.keys(), ...next.keys()]);
  return [...names]
    .filter((name) => old.get(name) !== next.get(name))
    .map((name) => name || after.name)
    .sort();
}
