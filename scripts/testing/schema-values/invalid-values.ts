import fc from 'fast-check';
import { filterOrThrow, sampleValues, tryGenerate } from './arbitrary.ts';
import { generalize, matchesTemplate } from './location.ts';
import type { JsonSchema } from './schema.ts';
import type { SchemaContext, SchemaFault } from './schema-context.ts';
import { type ValueLocation, valueLocationsOf } from './value-locations.ts';
import type { ViolationGenerator } from './violation.ts';
import { violationGenerators } from './violations.ts';

/** The violation that a value is generated for. */
type Intended = Pick<SchemaFault, 'keyword' | 'location'>;

/** A value that violates exactly one keyword. */
export interface InvalidValue {
  value: unknown;
  violation: Intended;
}

/** A keyword that no generated value violates without also violating other keywords. */
export interface Inseparable {
  keyword: string;
  location: string;
  /** Up to three of the other violations, as keyword and location; empty if no generated value was invalid. */
  with: string[];
}

export interface InvalidValueSpace {
  /** One generator per keyword and location. */
  spaces: { keyword: string; location: string; values: fc.Arbitrary<InvalidValue> }[];
  inseparable: Inseparable[];
}

/** Number of values to try before a keyword counts as inseparable. */
const maxTries = 60;

/** Returns a generator for each keyword that can be violated alone, and the keywords that cannot. */
export function invalidValuesOf(context: SchemaContext, schema: JsonSchema): InvalidValueSpace {
  const space: InvalidValueSpace = { spaces: [], inseparable: [] };
  const known = new Set<string>();
  for (const site of valueLocationsOf(context, schema))
    for (const breaker of violationGenerators(context, site.alternative)) {
      const location = site.location + breaker.inside;
      const { keyword } = breaker;
      if (known.has(`${keyword} ${location}`)) continue;
      const values = site.whole(breaker.values);
      const found = tryGenerate(() => tryOut(context, schema, values, { keyword, location })) ?? [];
      if (found === 'alone') {
        known.add(`${keyword} ${location}`);
        space.spaces.push({ keyword, location, values: aloneIn(context, schema, values, site, breaker) });
      } else space.inseparable.push({ keyword, location, with: found });
    }
  // A keyword that is inseparable in one alternative may be separable in another.
  space.inseparable = space.inseparable.filter(
    ({ keyword, location }) => !known.has(`${keyword} ${location}`),
  );
  return space;
}

/** Generates values that violate exactly one of the keywords; undefined if no keyword can be violated alone. */
export function anyInvalidValue({ spaces }: InvalidValueSpace): fc.Arbitrary<InvalidValue> | undefined {
  return spaces.length === 0 ? undefined : fc.oneof(...spaces.map(({ values }) => values));
}

function tryOut(
  context: SchemaContext,
  schema: JsonSchema,
  values: fc.Arbitrary<unknown>,
  meant: Intended,
): 'alone' | string[] {
  const others = new Set<string>();
  for (const value of sampleValues(values, maxTries)) {
    const faults = context.violationsOf(schema, value);
    if (isMeant(faults, meant)) return 'alone';
    for (const violation of faults)
      if (violation.keyword !== meant.keyword || !matchesTemplate(violation.location, meant.location))
        others.add(`${violation.keyword} at ${generalize(violation.location) || 'the whole value'}`);
  }
  return [...others].slice(0, 3);
}

function aloneIn(
  context: SchemaContext,
  schema: JsonSchema,
  values: fc.Arbitrary<unknown>,
  site: ValueLocation,
  { keyword, inside }: ViolationGenerator,
): fc.Arbitrary<InvalidValue> {
  const location = site.location + inside;
  const evaluated = values.map((value) => ({ value, faults: context.violationsOf(schema, value) }));
  return filterOrThrow(
    evaluated,
    ({ faults }) => isMeant(faults, { keyword, location }),
    `${keyword} at ${location}`,
  ).map(({ value, faults }) => ({ value, violation: faults[0] ?? { keyword, location } }));
}

/** Whether the only violation is the intended one, or the `anyOf` or `oneOf` that contains it. */
function isMeant(faults: SchemaFault[], meant: Intended): boolean {
  const [violation, ...more] = faults;
  if (!violation || more.length > 0 || violation.isSelected) return false;
  if (violation.keyword === meant.keyword && matchesTemplate(violation.location, meant.location)) return true;
  return (
    ['anyOf', 'oneOf'].includes(violation.keyword) &&
    matchesTemplate(violation.location, meant.location, 'or above')
  );
}
