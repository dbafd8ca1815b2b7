import { escapePointer } from '../../../server/lib/json-text.ts';
import { once } from '../../lib/once.ts';
import { documentFor } from '../../testing/requests/read-write-views.ts';
import { valueAt } from '../../testing/schema-values/json-pointer.ts';
import { canonical, isObject, type Schema } from '../../testing/schema-values/schema.ts';
import { createWorld, type Failure, type World } from '../../testing/schema-values/schema-context.ts';
import { candidates, type Side } from './candidates.ts';
import { closed, opened } from './reader-writer-views.ts';
import type { Direction, Site } from './schema-locations.ts';
import { shrunk } from './shrink.ts';

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
