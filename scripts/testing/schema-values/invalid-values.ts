import fc from 'fast-check';
import { filterOrThrow, sampleValues, tryGenerate } from './arbitrary.ts';
import { boundaryValuesOf } from './boundary-values.ts';
import type { JsonSchema } from './schema.ts';
import type { SchemaContext, SchemaFault } from './schema-context.ts';
import { matchesTemplate, valueLocationsOf } from './value-locations.ts';
import { violationGenerators } from './violations.ts';

/** The violation that a value is generated for. */
type Intended = Pick<SchemaFault, 'keyword' | 'location'>;

/** A value that violates exactly one keyword. */
interface InvalidValue {
  value: unknown;
  violation: Intended;
}

/** Generates values that violate one keyword at one location. */
export interface InvalidValueSpace {
  keyword: string;
  location: string;
  values: fc.Arbitrary<InvalidValue>;
}

/** Number of values that are tried for a keyword that cannot be violated alone. */
const maxTries = 60;

/** Returns a generator for each keyword and location that can be violated alone. */
export const invalidValuesOf = (context: SchemaContext, schema: JsonSchema): InvalidValueSpace[] => [
  ...eachInvalidValueOf(context, schema),
];

/** Yields the same one by one, the shallow locations first, because finding all can take seconds. */
export function* eachInvalidValueOf(
  context: SchemaContext,
  schema: JsonSchema,
): Generator<InvalidValueSpace> {
  const found = new Set<string>();
  for (const site of valueLocationsOf(context, schema))
    for (const { keyword, inside, values } of violationGenerators(context, site.alternative)) {
      const meant = { keyword, location: site.location + inside };
      const name = `${keyword} ${meant.location}`;
      if (found.has(name)) continue;
      const tried = site
        .whole(values)
        .map((value) => ({ value, faults: context.violationsOf(schema, value) }));
      const isAlone = ({ faults }: { faults: SchemaFault[] }) => isMeant(faults, meant);
      if (!tryGenerate(() => sampleValues(tried, maxTries).some(isAlone))) continue;
      const alone = filterOrThrow(tried, isAlone, name).map(
        ({ value, faults: [violation = meant] }): InvalidValue => ({ value, violation }),
      );
      found.add(name);
      yield { ...meant, values: alone };
    }
  for (const { keyword, location, value, isValid } of boundaryValuesOf(context, schema).values) {
    const name = `${keyword} ${location}`;
    const faults = isValid || found.has(name) ? [] : context.violationsOf(schema, value);
    const [violation] = faults;
    if (!violation || !isMeant(faults, { keyword, location })) continue;
    found.add(name);
    yield { keyword, location, values: fc.constant({ value, violation }) };
  }
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
