import fc from 'fast-check';
import { attempt, drawn, sieve } from './arbitrary.ts';
import { general, matches } from './location.ts';
import type { Schema } from './schema.ts';
import type { Fault, World } from './schema-context.ts';
import { type Site, sitesOf } from './value-locations.ts';
import type { Breaker } from './violation.ts';
import { breakersOf } from './violations.ts';

/** A value that breaks exactly one keyword of its schema. */
export interface Broken {
  value: unknown;
  fault: Fault;
}

/** A keyword that no value was found to break by itself. */
export interface Inseparable {
  keyword: string;
  place: string;
  /** What else was broken each time; nothing where no value broke it. */
  with: string[];
}

export interface BrokenSpace {
  /** One for each keyword and place. */
  spaces: { keyword: string; place: string; values: fc.Arbitrary<Broken> }[];
  inseparable: Inseparable[];
}

/** How many values are tried before a keyword counts as inseparable. */
const mostTries = 60;

/** The values that break one keyword of a schema, for each keyword that can be broken by itself. */
export function brokenOf(world: World, schema: Schema): BrokenSpace {
  const space: BrokenSpace = { spaces: [], inseparable: [] };
  const known = new Set<string>();
  for (const site of sitesOf(world, schema))
    for (const breaker of breakersOf(world, site.alternative)) {
      const place = site.place + breaker.inside;
      const { keyword } = breaker;
      if (known.has(`${keyword} ${place}`)) continue;
      const values = site.whole(breaker.values);
      const found = attempt(() => tryOut(world, schema, values, { keyword, place })) ?? [];
      if (found === 'alone') {
        known.add(`${keyword} ${place}`);
        space.spaces.push({ keyword, place, values: aloneIn(world, schema, values, site, breaker) });
      } else space.inseparable.push({ keyword, place, with: found });
    }
  // Another way to fit may have shown that it can.
  space.inseparable = space.inseparable.filter(({ keyword, place }) => !known.has(`${keyword} ${place}`));
  return space;
}

/** The values that break one keyword of a schema, whichever; undefined where none can be broken by itself. */
export function brokenValues({ spaces }: BrokenSpace): fc.Arbitrary<Broken> | undefined {
  return spaces.length === 0 ? undefined : fc.oneof(...spaces.map(({ values }) => values));
}

function tryOut(
  world: World,
  schema: Schema,
  values: fc.Arbitrary<unknown>,
  meant: Fault,
): 'alone' | string[] {
  const others = new Set<string>();
  for (const value of drawn(values, mostTries)) {
    const faults = world.faultsOf(schema, value);
    if (isMeant(faults, meant)) return 'alone';
    for (const fault of faults)
      if (fault.keyword !== meant.keyword || !matches(fault.place, meant.place))
        others.add(`${fault.keyword} at ${general(fault.place) || 'the whole value'}`);
  }
  return [...others].slice(0, 3);
}

function aloneIn(
  world: World,
  schema: Schema,
  values: fc.Arbitrary<unknown>,
  site: Site,
  { keyword, inside }: Breaker,
): fc.Arbitrary<Broken> {
  const place = site.place + inside;
  const judged = values.map((value) => ({ value, faults: world.faultsOf(schema, value) }));
  return sieve(judged, ({ faults }) => isMeant(faults, { keyword, place }), `${keyword} at ${place}`).map(
    ({ value, faults }) => ({ value, fault: faults[0] ?? { keyword, place } }),
  );
}

/** One fault, which is the one that was meant, or the choice that it stands in. */
function isMeant(faults: Fault[], meant: Fault): boolean {
  const [fault, ...more] = faults;
  if (!fault || more.length > 0) return false;
  if (fault.keyword === meant.keyword && matches(fault.place, meant.place)) return true;
  return ['anyOf', 'oneOf'].includes(fault.keyword) && matches(fault.place, meant.place, 'or above');
}
