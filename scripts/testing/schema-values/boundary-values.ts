import fc from 'fast-check';
import { type Alternative, schemasOfProperty, typesOf } from './alternatives.ts';
import type { Make } from './arbitrary.ts';
import { attempt, drawn } from './arbitrary.ts';
import { listsOf } from './arrays.ts';
import { namesOf } from './objects.ts';
import type { Schema } from './schema.ts';
import type { World } from './schema-context.ts';
import { lengthened, strings, texts } from './strings.ts';
import { sitesOf } from './value-locations.ts';
import { valuesOf } from './values.ts';

// Most are found at once; e-mail addresses of an exact length take longest.
const mostTries = 40;

/** Larger ones would take all memory: characters, items or properties. */
const mostSize = 200_000;
const mostItems = 2_000;

const sides = { 'one below': -1, on: 0, 'one above': 1 } as const;
export type Side = keyof typeof sides;

/** A value at a limit of its schema, or next to it. */
export interface AtLimit {
  keyword: string;
  place: string;
  side: Side;
  value: unknown;
  isValid: boolean;
  /** Where the limit is broken in this very value; undefined where it is not. */
  brokenAt: string | undefined;
}

export interface Limits {
  values: AtLimit[];
  /** Limits for which no value was found that is sound on the one side and broken on the other. */
  unreached: { keyword: string; place: string; side: Side }[];
}

/** For each limit of a schema a value one below it, on it, and one above it. */
export function limitsOf(world: World, schema: Schema): Limits {
  const limits: Limits = { values: [], unreached: [] };
  const known = new Set<string>();
  for (const { place, alternative, whole } of sitesOf(world, schema))
    for (const { keyword, limit, values } of candidates(world, alternative))
      for (const [side, step] of Object.entries(sides) as [Side, number][]) {
        const name = `${keyword} ${place} ${side}`;
        if (known.has(name) || (limit + step < 0 && !/imum/.test(keyword))) continue;
        const wanted = allowedSide(keyword, step);
        const found = isTooLarge(keyword, limit + step)
          ? undefined
          : attempt(() => {
              const made = values(limit + step);
              return (
                made &&
                smallest(
                  drawn(whole(made), mostTries).filter((value) =>
                    isAsWanted(world, schema, value, { keyword, wanted }),
                  ),
                )
              );
            });
        if (found === undefined) limits.unreached.push({ keyword, place, side });
        else {
          known.add(name);
          limits.values.push({
            keyword,
            place,
            side,
            value: found.value,
            isValid: wanted,
            brokenAt: wanted ? undefined : faultAt(world, schema, found.value, keyword),
          });
        }
      }
  return {
    ...limits,
    unreached: limits.unreached.filter((each) => !known.has(`${each.keyword} ${each.place} ${each.side}`)),
  };
}

const isTooLarge = (keyword: string, size: number): boolean =>
  /Length$/.test(keyword) ? size > mostSize : /Items$|Properties$/.test(keyword) && size > mostItems;

/** The shortest of the first few: what surrounds a limit only distracts from it. */
function smallest(values: Iterable<unknown>): { value: unknown } | undefined {
  const some: { value: unknown; length: number }[] = [];
  for (const value of values) {
    some.push({ value, length: JSON.stringify(value).length });
    if (some.length === 5) break;
  }
  return some.sort((one, other) => one.length - other.length)[0];
}

function faultAt(world: World, schema: Schema, value: unknown, keyword: string): string {
  const faults = world.faultsOf(schema, value);
  return (faults.find((fault) => fault.keyword === keyword) ?? faults[0])?.place ?? '';
}

/** Sound on the allowed side; on the other one broken by this limit, whatever else says the same. */
function isAsWanted(
  world: World,
  schema: Schema,
  value: unknown,
  { keyword, wanted }: { keyword: string; wanted: boolean },
): boolean {
  const faults = world.faultsOf(schema, value);
  return wanted
    ? faults.length === 0
    : faults.some((fault) => [keyword, 'anyOf', 'oneOf'].includes(fault.keyword));
}

/** Whether what lies so many steps from a limit is allowed by it. */
function allowedSide(keyword: string, step: number): boolean {
  if (keyword === 'exclusiveMinimum') return step > 0;
  if (keyword === 'exclusiveMaximum') return step < 0;
  return keyword.startsWith('min') ? step >= 0 : step <= 0;
}

interface Candidate {
  keyword: string;
  limit: number;
  /** Values of this size; undefined where there are none. */
  values: (size: number) => fc.Arbitrary<unknown> | undefined;
}

function candidates(world: World, alternative: Alternative): Candidate[] {
  const types = typesOf(alternative);
  const make: Make = (schemas) => valuesOf(world, schemas, 1);
  const found: Candidate[] = [];
  for (const schema of alternative.pieces) {
    const add = (keyword: string, values: Candidate['values']) => {
      const limit = schema[keyword];
      if (typeof limit === 'number') found.push({ keyword, limit, values });
    };
    if (types.includes('integer') || types.includes('number'))
      for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])
        add(keyword, (size) => fc.constant(size));
    if (types.includes('string'))
      for (const keyword of ['minLength', 'maxLength']) add(keyword, (size) => textOf(alternative, size));
    if (types.includes('array'))
      for (const keyword of ['minItems', 'maxItems']) add(keyword, (size) => listOf(alternative, make, size));
    if (types.includes('object'))
      for (const keyword of ['minProperties', 'maxProperties'])
        add(keyword, (size) => objectOf(world, alternative, make, size));
  }
  return found;
}

function textOf(alternative: Alternative, size: number): fc.Arbitrary<unknown> {
  const sound = strings(alternative) ?? texts({ min: 0, max: 8 });
  return fc.tuple(sound, fc.nat({ max: 1_000 })).map(([text, any]) => lengthened(String(text), size, any));
}

function listOf(alternative: Alternative, make: Make, size: number): fc.Arbitrary<unknown> {
  return listsOf(alternative, make, { min: size, max: size });
}

function objectOf(world: World, alternative: Alternative, make: Make, size: number): fc.Arbitrary<unknown> {
  const { possible, required } = namesOf(world, alternative);
  const order = [...required, ...possible.filter((name) => !required.includes(name))];
  const named = order
    .slice(0, size)
    .map((name) => [name, make(schemasOfProperty(alternative, name))] as const);
  const further = Array.from(
    { length: size - named.length },
    (_, n) => [`p${n}`, make(schemasOfProperty(alternative, `p${n}`))] as const,
  );
  return fc.record(Object.fromEntries([...named, ...further]), { noNullPrototype: true });
}
