import type fc from 'fast-check';
import { exampleRequests } from '../requests/examples.ts';
import { pathShape } from '../requests/path-template.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import type { SerializedRequest, TestCase } from '../requests/serialize.ts';
import { checkResponse } from './check-response.ts';
import {
  type Credentials,
  credentialsFor,
  wireOf,
  withoutCredentials,
  withoutKeys,
  withWrongCredentials,
} from './credentials.ts';
import type { ExistingResources } from './existing-resources.ts';
import { search } from './search.ts';
import type { Session } from './session.ts';

/**
 * Sends the contract's examples. If the operation requires credentials, repeats the first example without them, and with
 * wrong ones.
 */
export async function tryExamples(session: Session, space: RequestSpace): Promise<void> {
  const { operation } = space;
  const attempts = exampleRequests(session.requests, space);
  for (const attempt of attempts) await session.tryAndReport(attempt);
  const [first] = attempts;
  const schemes = operation.securitySchemes.flat();
  if (!first || schemes.length === 0) return;
  const own = credentialsFor(operation, session.credentials, session.operations);
  // Some contracts document 403 for this case, instead of 401.
  const expected = '403' in operation.responses && !('401' in operation.responses) ? [401, 403] : [401];
  await tryRejected(session, first, withoutCredentials(own, schemes), 'without credentials', expected);
  const wrong = withWrongCredentials(own, schemes);
  // A service may find such a token malformed, or document that it rejects unknown keys with 403.
  if (wrong) await tryRejected(session, first, wrong, 'with wrong credentials', [401, 403, 400]);
}

async function tryRejected(
  session: Session,
  given: TestCase,
  credentials: Credentials,
  how: string,
  expected: readonly number[],
): Promise<void> {
  const { operation } = given.request;
  const request = withoutKeys(given.request, operation.securitySchemes.flat());
  const attempt = { ...given, request, what: `${given.what}, ${how}` };
  const sent = await session.send(attempt, wireOf(attempt, credentials), false);
  if (sent instanceof Error) return;
  const { status } = sent.response;
  if (!expected.includes(status)) {
    const message = `${how} the service returned ${status} instead of ${expected.join(' or ')}`;
    return session.conclude(sent, 'requires-auth', message);
  }
  session.conclude(sent, 'requires-auth', undefined);
  if (String(status) in operation.responses)
    for (const violation of checkResponse(session.responses, operation, sent.response).violations)
      session.report(sent, violation);
}

const defaultMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends requests with methods that a path does not document. The service must return 405. */
export async function tryOtherMethods(session: Session, spaces: readonly RequestSpace[]): Promise<void> {
  const { requests, operations, credentials } = session;
  const byPath = Map.groupBy(spaces, ({ operation }) => operation.path);
  const shapes = new Map(operations.map(({ path }) => [path, pathShape(path)]));
  for (const [template, [space]] of byPath) {
    const [attempt] = space ? exampleRequests(requests, space) : [];
    if (!attempt) continue;
    // Sends all credentials, because other operations may need different ones from those of the attempt.
    const request = { ...attempt.request, query: {} };
    const wire = { ...wireOf({ ...attempt, request }, credentials), body: undefined };
    const path = wire.target.split('?')[0] ?? '';
    // Another path template may match the same path. Its methods are documented, too.
    const there = operations.filter((each) => each.path === template || shapes.get(each.path)?.test(path));
    const mayBeMissing =
      path !== template && there.some((each) => each.path === template && '404' in each.responses);
    const taken = there.map(({ method }) => method.toUpperCase());
    for (const method of defaultMethods.filter((each) => !taken.includes(each)))
      await tryMethod(session, attempt, { ...wire, method }, mayBeMissing);
  }
}

async function tryMethod(
  session: Session,
  attempt: TestCase,
  wire: SerializedRequest,
  mayBeMissing: boolean,
): Promise<void> {
  const what = `${wire.method}, which the path does not have`;
  const sent = await session.send({ ...attempt, what }, wire, true);
  if (sent instanceof Error) return;
  const { status } = sent.response;
  // A service may look up the resource before it looks at the method.
  if (status === 404 && mayBeMissing) return;
  const message = status === 405 ? undefined : `${wire.method} returned ${status} instead of 405`;
  session.conclude(sent, 'rejects-method', message);
}

/** Sends boundary values to existing resources: just below, on and just above each limit. */
export async function tryBoundaries(
  session: Session,
  { operation, limits }: RequestSpace,
  existing: ExistingResources,
): Promise<void> {
  for (const attempt of limits) {
    // The request before may have deleted the resource.
    await existing.prepare(operation);
    await session.tryAndReport(existing.named(attempt));
  }
}

/** Sends random valid requests, and requests with each kind of violation. Failures are shrunk. */
export async function tryRandom(session: Session, { valid, invalid }: RequestSpace): Promise<void> {
  await tryMany(session, valid, session.runs);
  for (const { attempts } of invalid)
    await tryMany(session, attempts, Math.max(1, Math.ceil(session.runs / invalid.length)));
}

const tryMany = (session: Session, attempts: fc.Arbitrary<TestCase>, numRuns: number): Promise<void> =>
  search(
    session,
    attempts,
    async function* (attempt) {
      const tried = await session.tryOut(attempt);
      for (const violation of tried.result.violations) yield { tried, violation };
    },
    { numRuns },
  );
