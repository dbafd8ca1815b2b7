import fc from 'fast-check';
import { oncePerOwner } from '../../lib/once.ts';
import { type Alternative, allowedTypes, schemasOfProperty } from './alternatives.ts';
import type { MakeValues } from './arbitrary.ts';
import { sampleValues, tryGenerate } from './arbitrary.ts';
import { arraysOfLength } from './arrays.ts';
import { propertyNames } from './objects.ts';
import type { JsonSchema } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';
import { padText, strings, textsOfLength } from './strings.ts';
import { valueLocationsOf } from './value-locations.ts';
import { valuesOf } from './values.ts';

// Number of values to generate per boundary. Email addresses of an exact length need the most attempts.
const maxTries = 40;

/** Maximum number of characters, because longer strings would use too much memory. */
const maxSize = 200_000;
/** Maximum number of items or properties, for the same reason. */
const maxItems = 2_000;

const sides = { 'one below': -1, on: 0, 'one above': 1 } as const;
type BoundarySide = keyof typeof sides;

interface Boundary {
  keyword: string;
  location: string;
  side: BoundarySide;
}

/** A value at or next to a limit of its schema. */
interface BoundaryValue extends Boundary {
  value: unknown;
  isValid: boolean;
  /** Location of the violation; undefined for a valid value. */
  brokenAt: string | undefined;
}

interface BoundaryValues {
  values: BoundaryValue[];
  /** Limits and sides for which no suitable value could be generated, and why. */
  unreached: (Boundary & { reason: string })[];
}

/** Returns values just below, on and just above each limit of a schema. They are found once, because that takes long. */
export const boundaryValuesOf = oncePerOwner(findBoundaryValues);

function findBoundaryValues(context: SchemaContext, schema: JsonSchema): BoundaryValues {
  const limits: BoundaryValues = { values: [], unreached: [] };
  const known = new Set<string>();
  const nameOf = ({ keyword, location, side }: Boundary) => `${keyword} ${location} ${side}`;
  for (const { location, alternative, whole } of valueLocationsOf(context, schema))
    for (const { keyword, limit, values } of candidates(context, alternative))
      for (const [side, step] of Object.entries(sides) as [BoundarySide, number][]) {
        const boundary = { keyword, location, side };
        const size = limit + step;
        if (known.has(nameOf(boundary)) || (size < 0 && !/imum/.test(keyword))) continue;
        const isValid = allowedSide(keyword, step);
        const found = isTooLarge(keyword, size)
          ? undefined
          : tryGenerate(() => {
              const made = values(size);
              return made && shortest(context, schema, whole(made), { keyword, isValid });
            });
        if (found) {
          known.add(nameOf(boundary));
          limits.values.push({ ...boundary, ...found, isValid });
        } else {
          const reason = isTooLarge(keyword, size) ? 'it is too large' : 'no such value was found';
          limits.unreached.push({ ...boundary, reason });
        }
      }
  return { ...limits, unreached: limits.unreached.filter((each) => !known.has(nameOf(each))) };
}

const isTooLarge = (keyword: string, size: number): boolean =>
  /Length$/.test(keyword) ? size > maxSize : /Items$|Properties$/.test(keyword) && size > maxItems;

/** A longer value, as JSON, ends the search for a shorter one, because more of them would take seconds. */
const longValue = 300;

/**
 * Returns the shortest of the first five suitable values, because other content distracts from the boundary. One that
 * should be invalid violates the keyword, an `anyOf` or a `oneOf`.
 */
function shortest(
  context: SchemaContext,
  schema: JsonSchema,
  values: fc.Arbitrary<unknown>,
  { keyword, isValid }: Pick<BoundaryValue, 'keyword' | 'isValid'>,
): Pick<BoundaryValue, 'value' | 'brokenAt'> | undefined {
  const locationIn = (value: unknown) => {
    const faults = context.violationsOf(schema, value);
    const fault = [keyword, 'anyOf', 'oneOf'].flatMap(
      (each) => faults.find((violation) => violation.keyword === each) ?? [],
    );
    return fault[0]?.location;
  };
  const found: { value: unknown; brokenAt: string | undefined; length: number }[] = [];
  for (const value of sampleValues(values, maxTries)) {
    // Listing violations takes longer than deciding.
    const brokenAt = isValid ? undefined : locationIn(value);
    if (isValid ? !context.isValid(schema, value) : brokenAt === undefined) continue;
    const { length } = JSON.stringify(value);
    found.push({ value, brokenAt, length });
    if (found.length === 5 || length > longValue) break;
  }
  return found.sort((one, other) => one.length - other.length)[0];
}

/** Whether a value at this distance from a limit is allowed. */
function allowedSide(keyword: string, step: number): boolean {
  if (keyword === 'exclusiveMinimum') return step > 0;
  if (keyword === 'exclusiveMaximum') return step < 0;
  return keyword.startsWith('min') ? step >= 0 : step <= 0;
}

interface Candidate {
  keyword: string;
  limit: number;
  /** Generates values of a size: a number, a length or a count; undefined if no value is valid. */
  values: (size: number) => fc.Arbitrary<unknown> | undefined;
}

function candidates(context: SchemaContext, alternative: Alternative): Candidate[] {
  const types = allowedTypes(alternative);
  const make: MakeValues = (schemas) => valuesOf(context, schemas, 1);
  const found: Candidate[] = [];
  for (const schema of alternative) {
    const add = (keyword: string, values: Candidate['values']) => {
      const limit = schema[keyword];
      if (typeof limit === 'number') found.push({ keyword, limit, values });
    };
    if (types.includes('integer') || types.includes('number'))
      for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
        add(keyword, (size) => (isExact(size, schema, types) ? fc.constant(size) : undefined));
    if (types.includes('string'))
      for (const keyword of ['minLength', 'maxLength']) add(keyword, (size) => textOf(alternative, size));
    if (types.includes('array'))
      for (const keyword of ['minItems', 'maxItems'])
        add(keyword, (size) => arraysOfLength(alternative, make, { min: size, max: size }));
    if (types.includes('object'))
      for (const keyword of ['minProperties', 'maxProperties'])
        add(keyword, (size) => objectOf(context, alternative, make, size));
  }
  return found;
}

/** Whether JavaScript sends the number as it is: it rounds integers beyond 2^53. */
const isExact = (size: number, { format }: Alternative[number], types: readonly string[]): boolean =>
  (types.includes('number') && !/^int/.test(format ?? '')) || Math.abs(size) <= 2 ** 53;

function textOf(alternative: Alternative, size: number): fc.Arbitrary<unknown> {
  const valid = strings(alternative) ?? textsOfLength({ min: 0, max: 8 });
  return fc.tuple(valid, fc.nat({ max: 1_000 })).map(([text, any]) => padText(String(text), size, any));
}

function objectOf(
  context: SchemaContext,
  alternative: Alternative,
  make: MakeValues,
  size: number,
): fc.Arbitrary<unknown> {
  const { possible, required } = propertyNames(context, alternative);
  const order = [...required, ...possible.filter((name) => !required.includes(name))];
  const further = Array.from({ length: size }, (_, n) => `p${n}`);
  const names = [...order, ...further].slice(0, size);
  const values = names.map((name) => [name, make(schemasOfProperty(alternative, name))]);
  return fc.record(Object.fromEntries(values), { noNullPrototype: true });
}
