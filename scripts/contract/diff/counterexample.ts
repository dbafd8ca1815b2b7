import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { once } from '../../lib/once.ts';
import { canonicalJson, distinct, type JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext, ValidationFailure } from '../../testing/schema-values/schema-context.ts';
import { mapSubschemas } from '../../testing/schema-values/subschemas.ts';
import type { Contract } from '../model/contract.ts';
import { candidates, depthOfParts, withUnnamed } from './candidates.ts';
import { changedParts } from './changed-parts.ts';
import { withClosedObjects } from './reader-writer-views.ts';
import type { TriedRequest } from './request-trials.ts';
import { type AreSame, sameSchemas } from './same-schemas.ts';
import type { SchemaLocation } from './schema-locations.ts';
import { contextOf, type SchemaSide, sideAt, withOtherSchemas } from './schema-side.ts';
import { shrink } from './shrink.ts';
import { WorkBudget } from './work-budget.ts';

/** A value that one version allows at a location and the other rejects. */
export interface Counterexample {
  value: unknown;
  /** Why the other version rejects the value. */
  rejections: Rejection[];
  /** The request with the value, if it could be tried. */
  request?: TriedRequest;
}

export interface Rejection {
  /** JSON Pointer to the keyword that rejects the value. */
  keyword: string;
  /** The property that is missing or not allowed. */
  property: string | undefined;
}

export interface CounterexampleSearch {
  counterexamples: Counterexample[];
  tried: number;
}

/** Whether a value can be sent at a location. */
export type CanSend = (location: SchemaLocation, value: unknown) => boolean;

export type FindCounterexamples = (before: SchemaLocation, after: SchemaLocation) => CounterexampleSearch;

/** Maximum number of counterexamples. Of several values with the same rejections, the search keeps the shortest. */
const maxCounterexamples = 40;

/**
 * Creates a search for values that only the old contract allows in requests, or that only the new contract allows in
 * responses. The compiled schemas of both versions validate each value.
 * @param before the old contract, normalized
 * @param after the new contract, normalized
 * @param canSend whether a value can be part of a request
 */
export function createCounterexampleSearch(
  before: Contract,
  after: Contract,
  canSend: CanSend,
): FindCounterexamples {
  const budget = new WorkBudget();
  const contextWithin = (contract: Contract) => contextOf(contract, budget);
  const versions = (allowing: SchemaContext, rejecting: SchemaContext, open?: SchemaContext) => ({
    ...{ allowing, rejecting, open, budget },
    areSame: sameSchemas(allowing, rejecting, 'views'),
    // Whether an object is closed matters here.
    areSameIfOpen: sameSchemas(open ?? allowing, rejecting),
    pointers: pointersIn(rejecting.document),
  });
  const contexts = {
    requests: once(() =>
      versions(
        contextWithin(withClosedObjects(before).view('request')),
        contextWithin(withLocations(after.view('request', 'forbidden'))),
        // Clients may also send properties that neither version names.
        contextWithin(before.view('request')),
      ),
    ),
    responses: once(() =>
      versions(
        contextWithin(withClosedObjects(after).view('response')),
        contextWithin(before.view('reader').view('response')),
      ),
    ),
  };
  const known = new Map<string, CounterexampleSearch>();
  return (old, next) => {
    const { allowing, rejecting, open, ...shared } = contexts[old.direction]();
    const [from, to] = old.direction === 'requests' ? [old, next] : [next, old];
    const [allowed, rejected] = [sideAt(allowing, from), sideAt(rejecting, to)];
    if (!allowed || !rejected) return { counterexamples: [], tried: 0 };
    // Results are cached, because many locations refer to the same schemas. The rejections of an inline schema contain
    // its location, so the location is part of the key. Parameters and forms cannot carry each value.
    const isShared = isObject(rejected.schema) && rejected.schema.$ref !== undefined;
    const location = /[/+]json$/.test(old.name) && isShared ? '' : old.name + to.pointer;
    const name = `${old.direction} ${canonicalJson(allowed.schema)} ${canonicalJson(rejected.schema)} ${location}`;
    const found =
      known.get(name) ??
      searchBetween(allowed, rejected, {
        ...{ ...shared, open: open && sideAt(open, from) },
        isSendable: (value) => old.direction === 'responses' || canSend(old, value),
      });
    known.set(name, found);
    return found;
  };
}

/** A violation of `false` has no location, so `{ not: {} }` replaces it in properties. */
function withLocations(contract: Contract): Contract {
  const replaced = (schema: JsonSchema): JsonSchema =>
    isObject(schema)
      ? mapSubschemas(schema, (inner, keyword) =>
          inner === false && keyword === 'properties' ? { not: {} } : replaced(inner),
        )
      : schema;
  return withOtherSchemas(contract, replaced);
}

interface Search {
  open: SchemaSide | undefined;
  areSame: AreSame;
  areSameIfOpen: AreSame;
  pointers: ReadonlyMap<unknown, string>;
  budget: WorkBudget;
  isSendable: (value: unknown) => boolean;
}

function searchBetween(
  allowing: SchemaSide,
  rejecting: SchemaSide,
  { open, areSame, areSameIfOpen, pointers, budget, isSendable }: Search,
): CounterexampleSearch {
  /** Returns the rejections of a value; undefined if it is not a counterexample. */
  const rejectionsOf = (value: unknown, { context, schema }: SchemaSide): Rejection[] | undefined => {
    if (!isSendable(value) || !context.isValid(schema, value)) return undefined;
    const failures = rejecting.context.failuresOf(rejecting.schema, value);
    return failures.length === 0
      ? undefined
      : distinct(failures.map((failure) => rejectionOf(failure, pointers)));
  };
  const reasonOf = (rejections: readonly Rejection[] | undefined) =>
    rejections?.map(({ keyword, property = '' }) => `${keyword} ${property}`).join('\n');
  const kept = new Map<string, Counterexample & { by: SchemaSide }>();
  let tried = 0;
  const consider = (values: Iterable<unknown>, by: SchemaSide) => {
    for (const value of values) {
      tried += 1;
      const rejections = rejectionsOf(value, by);
      if (!rejections) continue;
      const reason = reasonOf(rejections) ?? '';
      const before = kept.get(reason);
      if (before ? lengthOf(value) < lengthOf(before.value) : kept.size < maxCounterexamples)
        kept.set(reason, { value, rejections, by });
    }
  };
  const [mine, theirs] = changedParts(allowing, rejecting, areSame, budget);
  consider(
    candidates({ ...allowing, schema: mine }, { ...rejecting, schema: theirs }, budget, depthOfParts),
    allowing,
  );
  if (kept.size === 0) consider(candidates(allowing, rejecting, budget), allowing);
  if (open) {
    const [part] = changedParts(open, rejecting, areSameIfOpen, budget);
    consider(budget.limited(withUnnamed(open, rejecting, part)), open);
    if (kept.size === 0) consider(budget.limited(withUnnamed(open, rejecting, open.schema)), open);
  }
  const counterexamples = [...kept].map(([reason, { value, rejections, by }]) => ({
    value: shrink(value, (smaller) => reasonOf(rejectionsOf(smaller, by)) === reason, rejections.length),
    rejections,
  }));
  counterexamples.sort(
    (a, b) => a.rejections.length - b.rejections.length || lengthOf(a.value) - lengthOf(b.value),
  );
  return { counterexamples, tried };
}

const lengthOf = (value: unknown): number => JSON.stringify(value)?.length ?? 0;

const rejectionOf = (
  { keyword, within, property }: ValidationFailure,
  pointers: ReadonlyMap<unknown, string>,
): Rejection => ({
  keyword: `${pointers.get(within) ?? ''}/${escapePointer(keyword)}`,
  property,
});

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
