import fc from 'fast-check';
import { filterOrThrow, sampleValues, tryGenerate } from './arbitrary.ts';
import { generalize, matchesTemplate } from './location.ts';
import type { JsonSchema } from './schema.ts';
import type { SchemaContext, SchemaFault } from './schema-context.ts';
import { type ValueLocation, valueLocationsOf } from './value-locations.ts';
import type { ViolationGenerator } from './violation.ts';
import { violationGenerators } from './violations.ts';

/** A value that breaks exactly one keyword of its schema. */
export interface InvalidValue {
  value: unknown;
  violation: SchemaFault;
}

/** A keyword that no value was found to break by itself. */
export interface Inseparable {
  keyword: string;
  location: string;
  /** What else was broken each time; nothing where no value broke it. */
  with: string[];
}

export interface InvalidValueSpace {
  /** One for each keyword and place. */
  spaces: { keyword: string; location: string; values: fc.Arbitrary<InvalidValue> }[];
  inseparable: Inseparable[];
}

/** How many values are tried before a keyword counts as inseparable. */
const maxTries = 60;

/** The values that break one keyword of a schema, for each keyword that can be broken by itself. */
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
  // Another way to fit may have shown that it can.
  space.inseparable = space.inseparable.filter(
    ({ keyword, location }) => !known.has(`${keyword} ${location}`),
  );
  return space;
}

/** The values that break one keyword of a schema, whichever; undefined where none can be broken by itself. */
export function anyInvalidValue({ spaces }: InvalidValueSpace): fc.Arbitrary<InvalidValue> | undefined {
  return spaces.length === 0 ? undefined : fc.oneof(...spaces.map(({ values }) => values));
}

function tryOut(
  context: SchemaContext,
  schema: JsonSchema,
  values: fc.Arbitrary<unknown>,
  meant: SchemaFault,
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
  const judged = values.map((value) => ({ value, faults: context.violationsOf(schema, value) }));
  return filterOrThrow(
    judged,
    ({ faults }) => isMeant(faults, { keyword, location }),
    `${keyword} at ${location}`,
  ).map(({ value, faults }) => ({ value, violation: faults[0] ?? { keyword, location } }));
}

/** One fault, which is the one that was meant, or the choice that it stands in. */
function isMeant(faults: SchemaFault[], meant: SchemaFault): boolean {
  const [violation, ...more] = faults;
  if (!violation || more.length > 0) return false;
  if (violation.keyword === meant.keyword && matchesTemplate(violation.location, meant.location)) return true;
  return (
    ['anyOf', 'oneOf'].includes(violation.keyword) &&
    matchesTemplate(violation.location, meant.location, 'or above')
  );
}
