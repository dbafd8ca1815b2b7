import { withoutHeader } from '../../../contract/mock/scenarios/headers.ts';
import type { ConformanceCheck } from '../check-result.ts';
import { idempotencyKeyOf, withFreshKey } from '../idempotency-key.ts';
import type { Found } from '../search.ts';
import type { SentRequest } from '../service-watch.ts';
import type { Session, TriedRequest } from '../session.ts';

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
export async function checkEntityTag(
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
