import fc from 'fast-check';
import type { HttpMethod } from '../../lib/openapi-document.ts';
import { leadsTo, type TestedOperation } from '../requests/operations.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import { resourceTypeOf, schemaProperties } from '../requests/resource-ids.ts';
import type { GeneratedRequest } from '../requests/serialize.ts';
import type { TestCase } from '../requests/test-case.ts';
import { withoutOptional } from '../requests/valid-requests.ts';
import type { Violation } from './check-result.ts';
import type { PhaseContext } from './phases.ts';
import { lostChanges, lostValues } from './read-back.ts';
import type { TriedRequest } from './session.ts';

/** The operations on a resource type. */
export interface Resource {
  kind: string;
  /** The path parameter that contains the ID of the resource. */
  parameter: string;
  create: RequestSpace;
  read: RequestSpace | undefined;
  update: RequestSpace | undefined;
  remove: RequestSpace | undefined;
}

/**
 * Finds resource types with an operation that creates them: a POST on the collection, or a POST whose response links to
 * an operation on the resource.
 */
export function resourcesOf({ requests }: PhaseContext, spaces: readonly RequestSpace[]): Resource[] {
  const items = Map.groupBy(
    spaces.filter(({ operation }) => /\/\{[^}]+\}$/.test(operation.path)),
    ({ operation }) => operation.path,
  );
  return [...items].flatMap(([path, own]) => {
    const [, parameter = ''] = /\{([^}]+)\}$/.exec(path) ?? [];
    const schema = own[0]?.operation.parameters.find(
      (each) => each.in === 'path' && each.name === parameter,
    )?.schema;
    const kind = schema === undefined ? undefined : resourceTypeOf(requests, schema);
    const create = spaces.find(
      ({ operation }) =>
        operation.method === 'post' &&
        (operation.path === path.replace(/\/\{[^}]+\}$/, '') ||
          own.some((each) => linksTo(operation, each.operation))),
    );
    const by = (...methods: HttpMethod[]) => own.find(({ operation }) => methods.includes(operation.method));
    if (!create || kind === undefined) return [];
    return [{ kind, parameter, create, read: by('get'), update: by('put', 'patch'), remove: by('delete') }];
  });
}

const linksTo = (from: TestedOperation, to: TestedOperation): boolean =>
  Object.values(from.responses).some(({ links }) => links.some((link) => leadsTo(link, to)));

interface Chain {
  create: TestCase;
  update: TestCase | undefined;
}

/** Creates resources, then reads, changes and deletes each of them by the ID that its creation returned. */
export async function tryStateful(
  work: PhaseContext,
  resource: Resource,
  idsFrom: (tried: TriedRequest) => unknown[],
): Promise<void> {
  const { create, update } = resource;
  const chains: fc.Arbitrary<Chain> = fc.record({
    create: create.valid.map(plain),
    update: update ? update.valid.map(plain) : fc.constant(undefined),
  });
  const { session, seed, runs } = work;
  let last: { tried: TriedRequest; violation: Violation } | undefined;
  const details = await fc.check(
    fc.asyncProperty(chains, async (chain) => {
      if (session.isOver()) return true;
      const wrong = await walk(work, resource, chain, idsFrom);
      if (!wrong || session.isKnown(wrong.tried.attempt.request.operation.id, wrong.violation)) return true;
      last = wrong;
      return false;
    }),
    { seed, numRuns: Math.max(3, Math.ceil(runs / 5)) },
  );
  if (details.failed && !last) throw details.errorInstance;
  if (last) session.report('stateful', last.tried, last.violation);
}

/** Drops optional headers and query parameters, because random ones could make a step fail. */
const plain = (attempt: TestCase): TestCase => ({
  ...attempt,
  request: withoutOptional(attempt.request, ['query', 'header', 'cookie']),
});

async function walk(
  { session, requests }: PhaseContext,
  { kind, parameter, create, read, update, remove }: Resource,
  chain: Chain,
  idsFrom: (tried: TriedRequest) => unknown[],
): Promise<{ tried: TriedRequest; violation: Violation } | undefined> {
  const made = await session.tryOut(chain.create);
  const [first] = made.result.violations;
  if (first) return { tried: made, violation: first };
  const [id] = made.result.outcome === 'accepted' ? idsFrom(made) : [];
  if (id === undefined) return undefined;
  const at = (space: RequestSpace, what: string, attempt = anyOf(space)) =>
    session.tryOut(named(attempt, { parameter, id, what, from: made.attempt.request }));
  const expect = (tried: TriedRequest, check: 'found-after-creation' | 'gone-after-deletion') => {
    const { operation } = tried.attempt.request;
    const status = tried.response?.status ?? 0;
    // A rule may reject the request before its resource is looked up.
    if (tried.result.outcome === 'rejected by a rule') return undefined;
    const isGone = status === 404 || status === 410;
    const held = check === 'gone-after-deletion' ? isGone : !isGone;
    if (!session.end) session.count(operation.id, check, held);
    const [other] = tried.result.violations;
    if (other) return { tried, violation: other };
    const told = check === 'gone-after-deletion' ? 'the deleted' : 'the new';
    if (held || session.end) return undefined;
    return { tried, violation: { check, message: `${told} ${kind} returned ${status}`, detail } };
  };
  const detail = `ID ${JSON.stringify(id)}`;
  const checkCreation = (found: TriedRequest) => {
    if (found.result.outcome !== 'accepted') return undefined;
    const settable = create.operation.body?.content.flatMap(({ schema }) =>
      Object.keys(schemaProperties(requests, schema)),
    );
    const lost = lostValues(made, found, new Set([...(settable ?? []), 'id', parameter]));
    session.count(found.attempt.request.operation.id, 'keeps-creation', lost.length === 0);
    const message = `the new ${kind} is read back with another ${lost.join(', ')} than the create returned`;
    return lost.length === 0
      ? undefined
      : { tried: found, violation: { check: 'keeps-creation' as const, message, detail } };
  };
  const found = 'found-after-creation' as const;
  const reading = read && (await at(read, 'reading a created'));
  const tryUpdate = async () => {
    if (!changing) return undefined;
    const updated = await at(changing.space, 'updating a created', changing.attempt);
    const wrong = expect(updated, found);
    if (wrong || !read || !reading) return wrong;
    const again = await at(read, 'reading an updated');
    return (
      expect(again, found) ??
      (updated.result.outcome === 'accepted' ? checkUpdate(reading, updated, again) : undefined)
    );
  };
  const checkUpdate = (before: TriedRequest, updated: TriedRequest, after: TriedRequest) => {
    const lost = lostChanges(before, updated, after);
    session.count(after.attempt.request.operation.id, 'keeps-update', lost.length === 0);
    const message = `an accepted update did not change ${lost.join(', ')}`;
    return lost.length === 0
      ? undefined
      : { tried: updated, violation: { check: 'keeps-update' as const, message, detail } };
  };
  const changing = update && chain.update ? { space: update, attempt: chain.update } : undefined;
  return (
    (reading && (expect(reading, found) ?? checkCreation(reading))) ??
    (await tryUpdate()) ??
    (remove && expect(await at(remove, 'deleting a created'), found)) ??
    (remove && expect(await at(read ?? remove, 'reading a deleted'), 'gone-after-deletion')) ??
    (remove &&
      changing &&
      expect(await at(changing.space, 'updating a deleted', changing.attempt), 'gone-after-deletion'))
  );
}

const anyOf = ({ valid }: RequestSpace): TestCase =>
  fc.sample(valid.map(plain), { numRuns: 1, seed: 1 })[0] ?? never();

function never(): never {
  throw new Error('An arbitrary generated no value.');
}

/** Returns a test case for the created resource, with its ID in the path and the body. */
function named(
  attempt: TestCase,
  { parameter, id, what, from }: { parameter: string; id: unknown; what: string; from: GeneratedRequest },
): TestCase {
  const { request } = attempt;
  const before = request.path[parameter];
  const { body } = request;
  const own =
    body && typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value)
      ? {
          ...body,
          value: Object.fromEntries(
            Object.entries(body.value).map(([name, value]) => [
              name,
              name === parameter && value === before ? id : value,
            ]),
          ),
        }
      : body;
  return {
    ...attempt,
    what,
    request: { ...request, body: own, path: { ...request.path, ...from.path, [parameter]: id } },
  };
}
