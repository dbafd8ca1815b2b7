import fc from 'fast-check';
import { withoutHeader } from '../../../contract/mock/scenarios/scenario.ts';
import type { TestCase } from '../../requests/serialize.ts';
import type { ConformanceCheck } from '../check-result.ts';
import { idempotencyKeyOf, withFreshKey } from '../idempotency-key.ts';
import { type Found, search } from '../search.ts';
import type { SentRequest } from '../service-watch.ts';
import type { Session, TriedRequest } from '../session.ts';
import { creationFaults, updateFaults } from './read-back.ts';
import { byProperties, type CreatedResource, nameOf, plain, type Resource, requestFor } from './resource.ts';

/** The requests of a sequence that depend on chance. */
interface Chain {
  create: TestCase;
  update: TestCase | undefined;
}

/**
 * Creates resources, then reads, changes and deletes each of them by the ID that its creation returned.
 * @param idsFrom returns the IDs in the response to a create
 */
export async function walkResources(
  session: Session,
  resource: Resource,
  idsFrom: (tried: TriedRequest) => unknown[],
): Promise<void> {
  const { create, update } = resource;
  const chains: fc.Arbitrary<Chain> = fc.record({
    create: create.valid.map(plain),
    update: update ? update.valid.map(plain) : fc.constant(undefined),
  });
  const [fullest] = byProperties(create);
  const examples: [Chain][] = fullest
    ? [[{ create: fullest, update: update && byProperties(update).at(-1) }]]
    : [];
  const numRuns = Math.max(3, Math.ceil(session.runs / 5));
  await search(session, chains, (chain) => walkResource(session, resource, chain, idsFrom), {
    numRuns,
    examples,
  });
}

async function* walkResource(
  session: Session,
  resource: Resource,
  chain: Chain,
  idsFrom: (tried: TriedRequest) => unknown[],
): AsyncGenerator<Found> {
  const { read, update, remove } = resource;
  const made = await session.tryOut(chain.create);
  yield* violationsOf(made);
  const [id] = made.result.outcome === 'accepted' ? idsFrom(made) : [];
  if (made.result.violations.length > 0 || id === undefined) return;
  const created: CreatedResource = { made, id };
  const detail = `ID ${JSON.stringify(id)}`;
  const at = (space: NonNullable<typeof read>, what: string, attempt?: TestCase) =>
    session.tryOut(requestFor(space, resource, created, what, attempt));

  /** @returns whether the next request makes sense */
  function* expect(tried: TriedRequest, check: 'found-after-creation' | 'gone-after-deletion') {
    // A rule may reject the request before its resource is looked up.
    if (tried.result.outcome === 'rejected by a rule') return true;
    const status = tried.response?.status ?? 0;
    const isGone = status === 404 || status === 410;
    const held = check === 'gone-after-deletion' ? isGone : !isGone;
    const told = check === 'gone-after-deletion' ? 'the deleted' : 'the new';
    session.count(tried.attempt.request.operation.id, check, held);
    yield* violationsOf(tried);
    if (!held)
      yield {
        tried,
        violation: { check, message: `${told} ${nameOf(resource)} returned ${status}`, detail },
      };
    return held;
  }
  function* conclude(tried: TriedRequest, check: ConformanceCheck, messages: readonly string[]) {
    session.count(tried.attempt.request.operation.id, check, messages.length === 0);
    for (const message of messages) yield { tried, violation: { check, message, detail } };
  }

  const reading = read && (await at(read, 'reading a created'));
  if (reading && !(yield* expect(reading, 'found-after-creation'))) return;
  if (reading?.result.outcome === 'accepted')
    yield* conclude(reading, 'keeps-creation', creationFaults(session, resource, made, reading));
  if (update && chain.update) {
    const updated = await at(update, 'updating a created', chain.update);
    if (!(yield* expect(updated, 'found-after-creation'))) return;
    const again = read && (await at(read, 'reading an updated'));
    if (again && !(yield* expect(again, 'found-after-creation'))) return;
    if (reading && again && updated.result.outcome === 'accepted') {
      yield* conclude(updated, 'keeps-update', updateFaults(session, reading, updated, again));
      const found = await checkEntityTag(session, { before: reading, updated, after: again });
      if (found) yield found;
    }
  }
  if (!remove) return;
  const removed = await at(remove, 'deleting a created');
  if (!(yield* expect(removed, 'found-after-creation'))) return;
  // The credentials may not permit the deletion, or a rule of the service may reject it.
  if (removed.result.outcome !== 'accepted') return;
  if (!(yield* expect(await at(read ?? remove, 'reading a deleted'), 'gone-after-deletion'))) return;
  if (update && chain.update)
    yield* expect(await at(update, 'updating a deleted', chain.update), 'gone-after-deletion');
}

const violationsOf = (tried: TriedRequest): Found[] =>
  tried.result.violations.map((violation) => ({ tried, violation }));

/** An accepted update, and the reads before and after it. */
interface Update {
  before: TriedRequest;
  updated: TriedRequest;
  after: TriedRequest;
}

/**
 * Checks that the ETag of a resource changes with it, and repeats the update with the old one in `If-Match`, which must be
 * rejected (RFC 9110, sections 8.8.1 and 13.1.1).
 */
async function checkEntityTag(
  session: Session,
  { before, updated, after }: Update,
): Promise<Found | undefined> {
  const [old, next] = [before, after].map(({ response }) => response?.headers.etag);
  if (old === undefined || next === undefined) return undefined;
  const violated = (tried: SentRequest, check: ConformanceCheck, message: string): Found => {
    session.count(tried.attempt.request.operation.id, check, false);
    return { tried, violation: { check, message } };
  };
  const isChanged = before.response?.text !== after.response?.text;
  if (old === next)
    return isChanged && !old.startsWith('W/')
      ? violated(after, 'changes-etag', 'an update changed the resource, but not its ETag')
      : undefined;
  const { operation } = updated.attempt.request;
  session.count(after.attempt.request.operation.id, 'changes-etag', true);
  const match = operation.parameters.find(
    ({ in: location, name }) => location === 'header' && name.toLowerCase() === 'if-match',
  );
  if (!match) return undefined;
  // A known key would get the response to the last update.
  const { header } = withFreshKey(session.requests, updated.attempt);
  const key = idempotencyKeyOf(operation);
  const fresh = key && header[key.name] !== undefined ? { [key.name]: String(header[key.name]) } : {};
  const others = withoutHeader(updated.wire.headers, 'if-match');
  const wire = { ...updated.wire, headers: { ...others, ...fresh, [match.name]: old } };
  const attempt = { ...updated.attempt, what: 'an update with the ETag before the last one' };
  const sent = await session.send(attempt, wire, true);
  if (sent instanceof Error) return undefined;
  const { status } = sent.response;
  if (status < 300)
    return violated(
      sent,
      'rejects-old-etag',
      `If-Match has an old ETag: the service returned ${status} instead of 412`,
    );
  session.count(operation.id, 'rejects-old-etag', true);
  return undefined;
}
