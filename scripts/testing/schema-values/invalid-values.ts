import fc from 'fast-check';
import { filterOrThrow, sampleValues, tryGenerate } from './arbitrary.ts';
import { boundaryValuesOf } from './boundary-values.ts';
import { matchesTemplate } from './location.ts';
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

export interface InvalidValueSpace {
  /** One generator per keyword and location. */
  spaces: { keyword: string; location: string; values: fc.Arbitrary<InvalidValue> }[];
}

/** Number of values that are tried for a keyword that cannot be violated alone. */
const maxTries = 60;

/** Returns a generator for each keyword and location that can be violated alone. */
export function invalidValuesOf(context: SchemaContext, schema: JsonSchema): InvalidValueSpace {
  const found = new Map<string, InvalidValueSpace['spaces'][number]>();
  for (const site of valueLocationsOf(context, schema))
    for (const breaker of violationGenerators(context, site.alternative)) {
      const location = site.location + breaker.inside;
      const { keyword } = breaker;
      const name = `${keyword} ${location}`;
      if (found.has(name)) continue;
      const values = site.whole(breaker.values);
      const isAlone = tryGenerate(() =>
        sampleValues(values, maxTries).some((value) =>
          isMeant(context.violationsOf(schema, value), { keyword, location }),
        ),
      );
      if (isAlone)
        found.set(name, { keyword, location, values: aloneIn(context, schema, values, site, breaker) });
    }
  for (const { keyword, location, value, isValid } of boundaryValuesOf(context, schema).values) {
    const name = `${keyword} ${location}`;
    const faults = isValid || found.has(name) ? [] : context.violationsOf(schema, value);
    const [violation] = faults;
    if (violation && isMeant(faults, { keyword, location }))
      found.set(name, { keyword, location, values: fc.constant({ value, violation }) });
  }
  return { spaces: [...found.values()] };
}

/** Generates values that violate exactly one of the keywords; undefined if no keyword can be violated alone. */
export function anyInvalidValue({ spaces }: InvalidValueSpace): fc.Arbitrary<InvalidValue> | undefined {
  return spaces.length === 0 ? undefined : fc.oneof(...spaces.map(({ values }) => values));
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
