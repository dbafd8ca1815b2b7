import fc from 'fast-check';
import { escapePointer } from '../../server/text.ts';
import { brokenOf } from '../instances/broken.ts';
import { subschemasOf } from '../instances/keywords.ts';
import { limitsOf } from '../instances/limits.ts';
import { attempt, drawn } from '../instances/making.ts';
import { valueAt } from '../instances/pointer.ts';
import { canonical, isObject, type Schema } from '../instances/schema.ts';
import { valuesOf } from '../instances/values.ts';
import { createWorld, type Failure, type World } from '../instances/world.ts';
import { once } from '../once.ts';
import { documentFor } from '../requests/directions.ts';
import { closed, opened } from './readings.ts';
import { shrunk } from './shrink.ts';
import type { Direction, Site } from './sites.ts';

/** A value that one version of the contract allows at a place, and the other does not. */
export interface Witness {
  value: unknown;
  /** What refuses it, in the version that does. */
  refusals: Refusal[];
}

export interface Refusal {
  /** JSON Pointer to the keyword. */
  keyword: string;
  /** The property that is missing, or should not be there. */
  property: string | undefined;
}

export interface Search {
  witnesses: Witness[];
  tried: number;
}

export type FindWitnesses = (before: Site, after: Site) => Search;

const mostSound = 300;
const mostBroken = 12;
/** Of those that are refused for the same reasons the shortest is kept. */
const mostKept = 40;

/**
 * Finds values that callers may send by the old contract and not by the new one; or that they may get by the new one
 * and not by the old one. Ajv judges by both.
 * @param before the old contract, @param after the new one, both in their normal form
 */
export function createSearch(before: Record<string, unknown>, after: Record<string, unknown>): FindWitnesses {
  const closedWorld = (direction: Direction, document: Record<string, unknown>) =>
    createWorld(documentFor(direction, closed(document, resolveIn(document))));
  const worlds = {
    requests: once(() => ({
      allowing: closedWorld('requests', before),
      refusing: createWorld(documentFor('requests', after, 'forbidden')),
    })),
    answers: once(() => ({
      allowing: closedWorld('answers', after),
      refusing: createWorld(documentFor('answers', opened(before))),
    })),
  };
  const known = new Map<string, Search>();
  return (old, next) => {
    const { allowing, refusing } = worlds[old.direction]();
    const [from, to] = old.direction === 'requests' ? [old, next] : [next, old];
    const allowed = schemaAt(allowing, from.pointer);
    const refused = schemaAt(refusing, to.pointer);
    if (allowed === undefined || refused === undefined) return { witnesses: [], tried: 0 };
    // Many places refer to the same schemas; where one is written at its place, what refuses a value stands there, too.
    const place = isObject(refused) && refused.$ref !== undefined ? '' : to.pointer;
    const name = `${old.direction} ${canonical(allowed)} ${canonical(refused)} ${place}`;
    const found =
      known.get(name) ??
      searchBetween({ world: allowing, schema: allowed }, { world: refusing, schema: refused });
    known.set(name, found);
    return found;
  };
}

interface Side {
  world: World;
  schema: Schema;
}

function searchBetween(allowing: Side, refusing: Side): Search {
  const pointers = pointersIn(refusing.world.document);
  /** By what a value is refused; undefined where it is no witness. */
  const refusalsOf = (value: unknown): Refusal[] | undefined => {
    if (!allowing.world.isValid(allowing.schema, value)) return undefined;
    const failures = refusing.world.failuresOf(refusing.schema, value);
    return failures.length === 0
      ? undefined
      : distinct(failures.map((failure) => refusalOf(failure, pointers)));
  };
  const reasonOf = (refusals: readonly Refusal[] | undefined) =>
    refusals?.map(({ keyword, property = '' }) => `${keyword} ${property}`).join('\n');
  const kept = new Map<string, Witness>();
  let tried = 0;
  for (const value of candidates(allowing, refusing)) {
    tried += 1;
    const refusals = refusalsOf(value);
    if (!refusals) continue;
    const reason = reasonOf(refusals) ?? '';
    const before = kept.get(reason);
    if (before ? lengthOf(value) < lengthOf(before.value) : kept.size < mostKept)
      kept.set(reason, { value, refusals });
  }
  const witnesses = [...kept].map(([reason, { value, refusals }]) => ({
    value: shrunk(value, (smaller) => reasonOf(refusalsOf(smaller)) === reason),
    refusals,
  }));
  witnesses.sort((a, b) => a.refusals.length - b.refusals.length || lengthOf(a.value) - lengthOf(b.value));
  return { witnesses, tried };
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

/** Values that one side makes, and values on the limits of the other, or just beyond them. */
function* candidates(allowing: Side, refusing: Side): Generator<unknown> {
  const made = attempt(() => valuesOf(allowing.world, [allowing.schema]));
  if (made) yield* safely(drawn(made, mostSound));
  for (const { world, schema } of [refusing, allowing])
    for (const { value } of attempt(() => limitsOf(world, schema))?.values ?? []) yield value;
  if (made) yield* withNamesOfPatterns(made, [allowing, refusing]);
  for (const { values } of attempt(() => brokenOf(refusing.world, refusing.schema))?.spaces ?? [])
    for (const { value } of safely(drawn(values, mostBroken))) yield value;
}

// Enough of each for every pattern to meet every kind of value.
const mostNamed = 6;
const anything = ['', 'aaaaaaaaaaaaaaaaaaaa', 0, 1.5, true, null, {}, []];

/** Values with properties whose names fit a pattern of either side: chance finds such names seldom. */
function* withNamesOfPatterns(values: fc.Arbitrary<unknown>, sides: readonly Side[]): Generator<unknown> {
  const patterns = sides.flatMap(({ world, schema }) => patternsIn(world, schema));
  for (const pattern of new Set(patterns)) {
    const names = attempt(() => [...drawn(fc.stringMatching(new RegExp(pattern, 'u')), mostNamed)]) ?? [];
    for (const value of safely(drawn(values, mostNamed)))
      for (const name of names) for (const given of anything) yield* withProperty(value, name, given);
  }
}

/** A value with one property more, in each of its objects. */
function* withProperty(value: unknown, name: string, given: unknown): Generator<unknown> {
  if (Array.isArray(value))
    for (const [index, inner] of value.entries())
      for (const each of withProperty(inner, name, given)) yield value.with(index, each);
  if (!isObject(value)) return;
  yield { ...value, [name]: given };
  for (const [key, inner] of Object.entries(value))
    for (const each of withProperty(inner, name, given)) yield { ...value, [key]: each };
}

function patternsIn(world: World, schema: Schema): string[] {
  const found = new Set<string>();
  const seen = new Set<Schema>();
  const visit = (each: Schema): void => {
    if (typeof each === 'boolean' || seen.has(each)) return;
    seen.add(each);
    for (const pattern of Object.keys(each.patternProperties ?? {})) found.add(pattern);
    for (const inner of subschemasOf(each)) visit(inner.schema);
    if (each.$ref !== undefined) visit(world.resolve(each.$ref));
  };
  visit(schema);
  return [...found];
}

/** What can be made before it turns out that no more can. */
function* safely<T>(values: Generator<T>): Generator<T> {
  for (;;) {
    const next = attempt(() => values.next());
    if (!next || next.done) return;
    yield next.value;
  }
}

const refusalOf = (
  { keyword, within, property }: Failure,
  pointers: ReadonlyMap<unknown, string>,
): Refusal => ({
  keyword: `${pointers.get(within) ?? ''}/${escapePointer(keyword)}`,
  property,
});

const distinct = (refusals: Refusal[]): Refusal[] =>
  [...new Map(refusals.map((each) => [canonical(each), each]))]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);

function pointersIn(document: object): Map<unknown, string> {
  const found = new Map<unknown, string>();
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    found.set(node, at);
    for (const [name, inner] of Object.entries(node)) visit(inner, `${at}/${escapePointer(name)}`);
  };
  visit(document, '');
  return found;
}

function schemaAt({ document }: World, pointer: string): Schema | undefined {
  const found = valueAt(document, pointer);
  return typeof found === 'boolean' || isObject(found) ? found : undefined;
}

const resolveIn = (document: object) => (reference: string) => {
  const found = valueAt(document, reference.slice(1));
  return typeof found === 'boolean' || isObject(found) ? found : undefined;
};
