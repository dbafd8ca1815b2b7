import { escapePointer } from '../../server/text.ts';
import { brokenOf } from '../instances/broken.ts';
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
  /** What refuses it: JSON Pointers to keywords of the version that does, a missing or needless property behind them. */
  refusals: string[];
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
  const refusalsOf = (value: unknown): string[] | undefined => {
    if (!allowing.world.isValid(allowing.schema, value)) return undefined;
    const failures = refusing.world.failuresOf(refusing.schema, value);
    return failures.length === 0
      ? undefined
      : [...new Set(failures.map((failure) => keywordOf(failure, pointers)))].sort();
  };
  const kept = new Map<string, Witness>();
  let tried = 0;
  for (const value of candidates(allowing, refusing)) {
    tried += 1;
    const refusals = refusalsOf(value);
    if (!refusals) continue;
    const reason = refusals.join(' ');
    const before = kept.get(reason);
    if (before ? lengthOf(value) < lengthOf(before.value) : kept.size < mostKept)
      kept.set(reason, { value, refusals });
  }
  const witnesses = [...kept].map(([reason, { value, refusals }]) => ({
    value: shrunk(value, (smaller) => refusalsOf(smaller)?.join(' ') === reason),
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
  for (const { values } of attempt(() => brokenOf(refusing.world, refusing.schema))?.spaces ?? [])
    for (const { value } of safely(drawn(values, mostBroken))) yield value;
}

/** What can be made before it turns out that no more can. */
function* safely<T>(values: Generator<T>): Generator<T> {
  for (;;) {
    const next = attempt(() => values.next());
    if (!next || next.done) return;
    yield next.value;
  }
}

function keywordOf({ keyword, within, property }: Failure, pointers: ReadonlyMap<unknown, string>): string {
  const at = `${pointers.get(within) ?? ''}/${escapePointer(keyword)}`;
  return property === undefined ? at : `${at}/${escapePointer(property)}`;
}

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
