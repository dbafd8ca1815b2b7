import fc from 'fast-check';
import { exampleRequests } from '../requests/examples.ts';
import type { TestedOperation } from '../requests/operations.ts';
import { pathShape } from '../requests/path-template.ts';
import type { RequestSpace } from '../requests/request-space.ts';
import { serializeRequest } from '../requests/serialize.ts';
import type { TestCase } from '../requests/test-case.ts';
import { checkInTime, UnsatisfiableSchema } from '../schema-values/arbitrary.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { checkResponse } from './check-response.ts';
import type { CheckResult, Violation } from './check-result.ts';
import {
  type Credentials,
  credentialsFor,
  withCredentials,
  withoutCredentials,
  withoutKeys,
  withoutPinned,
  withWrongCredentials,
} from './credentials.ts';
import type { ExistingResources } from './existing-resources.ts';
import type { Phase, Session, TriedRequest } from './session.ts';

/** The input that all phases share. */
export interface PhaseContext {
  session: Session;
  existing: ExistingResources;
  /** All operations of the contract, whether tested or not. */
  operations: readonly TestedOperation[];
  /** The request view and the response view of the contract. */
  requests: SchemaContext;
  responses: SchemaContext;
  credentials: Credentials;
  /** Number of random valid requests per operation, and approximate number of random invalid ones. */
  runs: number;
  seed: number;
}

/** Reports the violations of a request. */
function reportAll({ session }: PhaseContext, phase: Phase, tried: TriedRequest): void {
  for (const violation of tried.result.violations) session.report(phase, tried, violation);
}

/**
 * Sends the contract's examples. If the operation requires credentials, repeats the first example without them, and with
 * wrong ones.
 */
export async function tryExamples(work: PhaseContext, space: RequestSpace): Promise<void> {
  const attempts = exampleRequests(work.requests, space);
  for (const attempt of attempts) {
    if (work.session.isOver()) return;
    reportAll(work, 'examples', await work.session.tryOut(attempt));
  }
  const [first] = attempts;
  const schemes = space.operation.securitySchemes.flat();
  if (!first || schemes.length === 0) return;
  const own = credentialsFor(space.operation, work.credentials, work.operations);
  // Some contracts document 403 for this case, instead of 401.
  const { responses } = space.operation;
  const expected = '403' in responses && !('401' in responses) ? [401, 403] : [401];
  await tryRejected(work, first, withoutCredentials(own, schemes), 'without credentials', expected);
  const wrong = withWrongCredentials(own, schemes);
  // A service may find such a token malformed, or document that it rejects unknown keys with 403.
  if (wrong) await tryRejected(work, first, wrong, 'with wrong credentials', [401, 403, 400]);
}

async function tryRejected(
  { session, responses }: PhaseContext,
  attempt: TestCase,
  credentials: Credentials,
  how: string,
  expected: readonly number[],
): Promise<void> {
  const { operation } = attempt.request;
  const request = withoutKeys(withoutPinned(attempt, credentials), operation.securitySchemes.flat());
  const wire = withCredentials(serializeRequest(request), credentials);
  const response = await session.send({ attempt, wire }, false);
  if (response instanceof Error) return;
  const requested = { ...attempt, what: `${attempt.what}, ${how}` };
  const result: CheckResult = { violations: [], made: [], outcome: 'rejected', rule: undefined };
  const isRejected = expected.includes(response.status);
  if (isRejected && String(response.status) in operation.responses)
    checkResponse(responses, operation, response, result);
  if (!isRejected)
    result.violations.push({
      check: 'requires-auth',
      message: `${how} the service returned ${response.status} instead of ${expected.join(' or ')}`,
    });
  session.count(operation.id, 'requires-auth', isRejected);
  for (const violation of result.violations)
    session.report('examples', { attempt: requested, wire, response }, violation);
}

const defaultMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Sends requests with methods that a path does not document. The service must return 405. */
export async function tryOtherMethods(work: PhaseContext, spaces: readonly RequestSpace[]): Promise<void> {
  const byPath = Map.groupBy(spaces, ({ operation }) => operation.path);
  for (const [, [space]] of byPath) {
    if (work.session.isOver()) return;
    const [attempt] = space ? exampleRequests(work.requests, space) : [];
    if (!space || !attempt) continue;
    const { basePath, target, headers } = serializeRequest(withoutPinned(attempt, work.credentials));
    const there = work.operations.filter(({ path: each }) => each === space.operation.path);
    // Another path template may match the same path. Its methods are documented, too.
    const path = target.split('?')[0] ?? '';
    const others = work.operations.filter((operation) => fits(operation, path));
    const taken = [...there, ...others].map(({ method }) => method.toUpperCase());
    for (const method of defaultMethods.filter((each) => !taken.includes(each)))
      await tryMethod(
        work,
        { ...attempt, what: `${method}, which the path does not have` },
        { method, basePath, target: path, headers, body: undefined },
        path !== space.operation.path && there.some(({ responses }) => '404' in responses),
      );
  }
}

async function tryMethod(
  { session, credentials }: PhaseContext,
  attempt: TestCase,
  bare: TriedRequest['wire'],
  mayBeMissing: boolean,
): Promise<void> {
  // Sends all credentials, because other operations may need different ones from those of the attempt.
  const wire = withCredentials(bare, credentials);
  const response = await session.send({ attempt, wire }, true);
  if (response instanceof Error) return;
  const { id } = attempt.request.operation;
  // A service may look up the resource before it looks at the method.
  if (response.status === 404 && mayBeMissing) return;
  session.count(id, 'rejects-method', response.status === 405);
  if (response.status !== 405)
    session.report(
      'examples',
      { attempt, wire, response },
      { check: 'rejects-method', message: `${wire.method} returned ${response.status} instead of 405` },
    );
}

const fits = ({ path }: TestedOperation, target: string): boolean => pathShape(path).test(target);

/** Sends boundary values to existing resources: just below, on and just above each limit. */
export async function tryBoundaries(work: PhaseContext, { operation, limits }: RequestSpace): Promise<void> {
  for (const attempt of limits) {
    // The request before may have deleted the resource.
    await work.existing.prepare(operation);
    if (work.session.isOver()) return;
    reportAll(work, 'boundaries', await work.session.tryOut(work.existing.named(attempt)));
  }
}

/** Sends random valid requests, and requests with each kind of violation. Failures are shrunk. */
export async function tryRandom(work: PhaseContext, { valid, invalid }: RequestSpace): Promise<void> {
  await tryMany(work, valid, work.runs);
  // Unknown parameters are not tested: an OpenAPI contract does not say whether a service rejects or ignores them.
  const known = invalid.filter(({ wrong }) => wrong.kind !== 'unknown');
  for (const { attempts } of known)
    await tryMany(work, attempts, Math.max(1, Math.ceil(work.runs / known.length)));
}

/**
 * Maximum number of searches per kind of request. Each search excludes the violations already found, which could hide
 * others.
 */
const maxRounds = 5;
/** Time limit for shrinking, in case the service is slow. */
const shrinkMs = 20_000;

async function tryMany(work: PhaseContext, attempts: fc.Arbitrary<TestCase>, numRuns: number): Promise<void> {
  const { session, seed } = work;
  for (let round = 0; round < maxRounds; round += 1) {
    let last: { tried: TriedRequest; violation: Violation } | undefined;
    let until = Number.POSITIVE_INFINITY;
    let silent = false;
    const details = await checkInTime(
      fc.asyncProperty(attempts, async (attempt) => {
        if (silent || session.isOver() || performance.now() > until) return true;
        const tried = await session.tryOut(attempt);
        // After a request without a response, no more are sent, because each could take a whole timeout.
        silent = tried.response === undefined;
        const violation = tried.result.violations.find(
          (each) =>
            !session.isKnown(attempt.request.operation.id, each) &&
            (!last || last.violation.check === each.check),
        );
        if (!violation) return true;
        until = Math.min(until, performance.now() + shrinkMs);
        last = { tried, violation };
        return false;
      }),
      { seed, numRuns },
    );
    if (details?.failed && !last) {
      if (!(details.errorInstance instanceof UnsatisfiableSchema)) throw details.errorInstance;
      session.notes.add(details.errorInstance.message);
      return;
    }
    if (last) session.report('random', last.tried, last.violation);
    if (!last || silent) return;
  }
  session.notes.add(`Found ${maxRounds} causes for one kind of request; there may be more.`);
}
