import fc from 'fast-check';
import { type Alternative, alternativesOf, hasType, listedIn, typesOf } from './alternatives.ts';
import { attempt, CannotMake, type Make, sieve } from './arbitrary.ts';
import { lists } from './arrays.ts';
import { numbers, wholeNumbers } from './numbers.ts';
import { objects } from './objects.ts';
import type { JsonType, Schema } from './schema.ts';
import type { World } from './schema-context.ts';
import { strings } from './strings.ts';

// Schemas that refer to themselves are followed so far with everything in them.
const fullDepth = 5;
const mostDepth = 40;
/** One time in so many an id is made up although some are known. */
const mostlyThere = 7;

const made = new WeakMap<World, Map<string, fc.Arbitrary<unknown>>>();
const numbersOfSchemas = new WeakMap<object, number>();
let lastNumber = 0;

/** Schemas by what they are, not by what they say. */
function nameOf(schemas: readonly Schema[]): string {
  const numbers = schemas.map((schema) => {
    if (typeof schema === 'boolean') return String(schema);
    const number = numbersOfSchemas.get(schema) ?? ++lastNumber;
    numbersOfSchemas.set(schema, number);
    return number;
  });
  return numbers.join();
}

/**
 * The values that fit all of some schemas.
 * @param schemas of the world's own document
 * @throws CannotMake where there is none, or none can be made
 */
export function valuesOf(world: World, schemas: readonly Schema[], depth = 0): fc.Arbitrary<unknown> {
  if (depth > mostDepth) throw new CannotMake('The schema asks for itself without end.');
  // Schemas that refer to themselves meet the same ones again and again.
  const known = made.get(world) ?? new Map<string, fc.Arbitrary<unknown>>();
  made.set(world, known);
  const name = `${depth} ${nameOf(schemas)}`;
  const values = known.get(name) ?? anyOf(waysOf(world, schemas, depth), schemas);
  known.set(name, values);
  return values;
}

function anyOf(
  { ways, causes }: { ways: fc.Arbitrary<unknown>[]; causes: string[] },
  schemas: readonly Schema[],
): fc.Arbitrary<unknown> {
  const [first, ...others] = ways;
  if (!first) throw new CannotMake(causes[0] ?? `Nothing fits ${JSON.stringify(schemas).slice(0, 300)}`);
  return others.length === 0 ? first : fc.oneof(first, ...others);
}

function waysOf(
  world: World,
  schemas: readonly Schema[],
  depth: number,
): { ways: fc.Arbitrary<unknown>[]; causes: string[] } {
  const sparing = depth >= fullDepth;
  const goesOn = (alternative: Alternative) =>
    typesOf(alternative).every((type) => type === 'array' || type === 'object');
  const alternatives = alternativesOf(world, schemas);
  // Far down the first way that comes to an end will do: there may be many that do not.
  if (sparing) alternatives.sort((left, right) => Number(goesOn(left)) - Number(goesOn(right)));
  const ways: fc.Arbitrary<unknown>[] = [];
  const causes: string[] = [];
  for (const alternative of alternatives) {
    const values = attempt(() => valuesOfAlternative(world, alternative, depth), causes);
    if (values) ways.push(values);
    if (values && sparing) break;
  }
  return { ways, causes };
}

/** The values that fit one way; undefined where there are none. */
export function valuesOfAlternative(
  world: World,
  alternative: Alternative,
  depth = 0,
): fc.Arbitrary<unknown> | undefined {
  const usual = unnamedValues(world, alternative, depth);
  const kinds = alternative.pieces.flatMap((schema) => schema['x-id-of'] ?? []);
  if (!usual || kinds.length === 0) return usual;
  const there = () =>
    kinds
      .flatMap((kind) => world.known(String(kind)))
      .filter((id) => alternative.pieces.every((schema) => world.isValid(schema, id)));
  // What is there may change from one run to the next, so it is looked up when a value is made.
  return fc.tuple(usual, fc.nat({ max: 999 }), fc.nat({ max: mostlyThere })).map(([value, any, chance]) => {
    const ids = chance > 0 ? there() : [];
    return ids.length > 0 ? ids[any % ids.length] : value;
  });
}

function unnamedValues(
  world: World,
  alternative: Alternative,
  depth: number,
): fc.Arbitrary<unknown> | undefined {
  const types = typesOf(alternative);
  const listed = listedIn(world, alternative);
  if (listed) {
    const left = listed.filter((value) => hasType(types, value));
    return left.length === 0 ? undefined : fc.constantFrom(...left);
  }
  const anyType = alternative.pieces.every((schema) => schema.type === undefined);
  // `integer` is a part of `number`.
  const tried = types.filter((type) => type !== 'integer' || !types.includes('number'));
  const byType = tried.flatMap((type) => {
    const values = ofType(world, alternative, type, depth);
    return values ? [{ arbitrary: values, weight: weightOf(type, tried.length, anyType) }] : [];
  });
  if (byType.length === 0) return undefined;
  const values = byType.length === 1 && byType[0] ? byType[0].arbitrary : fc.oneof(...byType);
  // Ajv is cheap; what several pieces say together is not always what each of them says.
  if (!alternative.sieve && alternative.pieces.length < 2) return values;
  const fits = (value: unknown) => alternative.pieces.every((schema) => world.isValid(schema, value));
  return sieve(values, fits, JSON.stringify(alternative.pieces.map((schema) => schema)).slice(0, 500));
}

/** What can be null mostly is not; a schema for anything gets mostly what is short. */
function weightOf(type: JsonType, count: number, anyType: boolean): number {
  if (type === 'null') return count > 1 ? 1 : 3;
  return anyType && (type === 'array' || type === 'object') ? 1 : 3;
}

function ofType(
  world: World,
  alternative: Alternative,
  type: JsonType,
  depth: number,
): fc.Arbitrary<unknown> | undefined {
  const make: Make = (schemas) => valuesOf(world, schemas, depth + 1);
  const sparing = depth >= fullDepth;
  switch (type) {
    case 'null':
      return fc.constant(null);
    case 'boolean':
      return fc.boolean();
    case 'integer':
      return wholeNumbers(alternative);
    case 'number':
      return numbers(alternative);
    case 'string':
      return strings(alternative);
    case 'array':
      return sparing && !alternative.pieces.some((schema) => schema.minItems ?? schema.contains)
        ? fc.constant([])
        : lists(world, alternative, make);
    case 'object':
      return objects(world, alternative, make, { sparing });
  }
}
