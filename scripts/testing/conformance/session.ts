import type { TestedOperation } from '../requests/operations.ts';
import type { HttpResponse, SendRequest } from '../requests/send.ts';
import { type SerializedRequest, type TestCase, toCurl } from '../requests/serialize.ts';
import { TimeIsOver } from '../schema-values/arbitrary.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { listIn } from './behavior/next-page.ts';
import { checkCase } from './check-case.ts';
import { checkResponse, documentedResponse } from './check-response.ts';
import {
  type CheckResult,
  type ConformanceCheck,
  countOutcome,
  type OutcomeCounts,
  type Violation,
} from './check-result.ts';
import { type Credentials, credentialsFor, missingOptions, wireOf, withoutSecrets } from './credentials.ts';
import { createEntityTags } from './entity-tags.ts';
import { withFreshKey } from './idempotency-key.ts';
import { type RateLimitOptions, waitForRateLimit } from './rate-limit.ts';
import type { ResourcePool } from './resource-pool.ts';
import type { EarlyEnd, SentRequest, ServiceWatch } from './service-watch.ts';

export const phases = ['examples', 'boundaries', 'random', 'stateful'] as const;
export type Phase = (typeof phases)[number];

/** A violation with the request and the response that showed it. */
export interface ConformanceFinding extends Violation {
  phase: Phase;
  operation: string;
  /** A description of the test case. */
  what: string;
  /** The request as a shell command. */
  curl: string;
  response: { status: number; body: string } | undefined;
}

/** The numbers of times that a check passed and failed. */
export interface CheckTally {
  held: number;
  invalid: number;
}

/** The input of a run. */
interface SessionInput {
  /** The request view and the response view of the contract. */
  requests: SchemaContext;
  responses: SchemaContext;
  /** All operations of the contract, whether tested or not. */
  operations: readonly TestedOperation[];
  credentials: Credentials;
  /** Number of random valid requests per operation, and approximate number of random invalid ones. */
  runs: number;
  seed: number;
}

/** The input and the state of a run, and the functions that send and count its requests. */
export interface Session extends SessionInput {
  findings: ConformanceFinding[];
  tallies: Map<string, Map<ConformanceCheck, CheckTally>>;
  outcomes: Map<string, OutcomeCounts>;
  /** The operations that returned lists, and whether one of these had items. */
  lists: Map<string, boolean>;
  /** Business rules that rejected a request, as `operation: rule`. */
  rulesMet: Set<string>;
  /** Number of requests. */
  sent: number;
  /** The current phase. */
  phase: Phase;
  /** Set if nothing can be tested any more, because the service or its credentials are gone. */
  end: EarlyEnd | undefined;
  /** Limitations of the run, for the report. */
  notes: Set<string>;
  /** Sends a test case and checks the response. Violations are counted, but not reported yet. */
  tryOut(attempt: TestCase): Promise<TriedRequest>;
  /** The same, and reports the violations. */
  tryAndReport(attempt: TestCase): Promise<TriedRequest>;
  /**
   * Sends a request, and repeats it after a wait if the service returns 429. The caller checks the other responses.
   * @param hasCredentials whether it has the credentials of its operation
   * @returns an Error if there was no response
   * @throws TimeIsOver if the run has ended, with this request or before, or would end before the wait does
   */
  send(
    attempt: TestCase,
    wire: SerializedRequest,
    hasCredentials: boolean,
  ): Promise<RespondedRequest | Error>;
  /** Counts a check. */
  count(operation: string, check: ConformanceCheck, held: boolean): void;
  /** Counts a check, and reports its violation. @param message undefined if the check has passed */
  conclude(tried: SentRequest, check: ConformanceCheck, message: string | undefined, detail?: string): void;
  /** Reports a violation unless it was reported before. */
  report(tried: SentRequest, violation: Violation): void;
  isKnown(operation: string, violation: Violation): boolean;
  /** Whether the time limit was reached, or the service or its credentials are gone. */
  isOver(): boolean;
}

export interface TriedRequest extends SentRequest {
  result: CheckResult;
}

interface RespondedRequest extends SentRequest {
  response: HttpResponse;
}

interface SessionOptions extends RateLimitOptions, SessionInput {
  send: SendRequest;
  /** Base URL of the service, for `curl` lines. */
  base: string;
  /** Names of the headers and query parameters whose values no report may contain. */
  secret: readonly string[];
  pool: ResourcePool;
  watch: ServiceWatch;
  onRequest?: ((session: Session) => void) | undefined;
}

// Maximum number of times that one request waits for the rate limit.
const maxWaits = 5;

/** Creates the session of a run. */
export function createSession(options: SessionOptions): Session {
  const { requests, responses, operations, credentials, runs, seed, base, secret, pool, watch } = options;
  const known = new Set<string>();
  const tags = createEntityTags(operations);
  let isTimeOver = false;
  const ownCredentials = (operation: TestedOperation) => credentialsFor(operation, credentials, operations);
  const session: Session = {
    ...{ requests, responses, operations, credentials, runs, seed },
    findings: [],
    tallies: new Map(),
    outcomes: new Map(),
    lists: new Map(),
    rulesMet: new Set(),
    sent: 0,
    notes: new Set(),
    phase: 'examples',
    end: undefined,
    async send(attempt, wire, hasCredentials) {
      for (let waits = 0; ; waits += 1) {
        if (session.isOver()) throw new TimeIsOver('The run has ended.');
        session.sent += 1;
        options.onRequest?.(session);
        const response = await options
          .send(wire)
          .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
        const failure = response instanceof Error ? response : undefined;
        const done = { attempt, wire, response: response instanceof Error ? undefined : response };
        const end = await watch.observe(done, hasCredentials, failure);
        if (end) endWith(end);
        if (response instanceof Error) return response;
        const responded = { attempt, wire, response };
        if (response.status !== 429 || waits >= maxWaits) return responded;
        reportLimit(responded);
        await waitForRateLimit(wire, response, options).catch((error: unknown) => {
          isTimeOver = true;
          if (error instanceof TimeIsOver) session.notes.add(error.message);
          throw error;
        });
      }
    },
    async tryOut(given) {
      const attempt = await fitted(given);
      const { operation } = attempt.request;
      const own = ownCredentials(operation);
      const wire = wireOf(attempt, own);
      const responded = await session.send(attempt, wire, true);
      if (responded instanceof Error) {
        const message = `no response: ${responded.message}`;
        const violations: Violation[] = [{ check: 'responds', message }];
        const result: CheckResult = { violations, made: [], outcome: 'failed', rules: [] };
        tally(operation.id, result);
        return { attempt, wire, response: undefined, result };
      }
      const { response } = responded;
      const result = checkCase(responses, attempt, response);
      const missing = response.status === 401 ? missingOptions(operation, own) : [];
      if (missing.length > 0) {
        result.violations = result.violations.filter(({ check }) => !/^(accepts|rejects)-/.test(check));
        session.notes.add(
          `${operation.id}: 401, because its credentials were not given: ${missing.join(' ')}`,
        );
      }
      tags.learn(wire, response);
      tally(operation.id, result);
      if (!attempt.wrong) {
        pool.learn(attempt.request, response);
        for (const { rule } of result.rules) session.rulesMet.add(`${operation.id}: ${rule}`);
        countOutcome(
          session.outcomes,
          operation.id,
          result.outcome === 'accepted'
            ? undefined
            : { status: response.status, body: shownBody(response, 200) },
        );
      }
      if (result.outcome === 'accepted' && !session.lists.get(operation.id)) {
        const items = listIn(operation, response);
        if (items) session.lists.set(operation.id, items.length > 0);
      }
      return { ...responded, result };
    },
    async tryAndReport(attempt) {
      const tried = await session.tryOut(attempt);
      for (const violation of tried.result.violations) session.report(tried, violation);
      return tried;
    },
    count(operation, check, held) {
      const own = session.tallies.get(operation) ?? new Map<ConformanceCheck, CheckTally>();
      const tally = own.get(check) ?? { held: 0, invalid: 0 };
      tally[held ? 'held' : 'invalid'] += 1;
      session.tallies.set(operation, own.set(check, tally));
    },
    conclude(tried, check, message, detail) {
      session.count(tried.attempt.request.operation.id, check, message === undefined);
      if (message !== undefined)
        session.report(tried, { check, message, ...(detail === undefined ? {} : { detail }) });
    },
    report({ attempt, wire, response }, violation) {
      const operation = attempt.request.operation.id;
      if (session.isKnown(operation, violation)) return;
      known.add(signature(operation, violation));
      session.findings.push({
        phase: session.phase,
        ...violation,
        operation,
        what: attempt.what,
        curl: toCurl(base, wire, secret),
        response: response && { status: response.status, body: shownBody(response, 2_000) },
      });
    },
    isKnown: (operation, violation) => known.has(signature(operation, violation)),
    isOver: () => session.end !== undefined || isTimeOver || options.timeLeft() < 0,
  };

  /** Returns the beginning of a body without secrets, which are replaced before one could be cut. */
  const shownBody = ({ text }: HttpResponse, length: number): string =>
    withoutSecrets(text.slice(0, 10_000), credentials, secret).slice(0, length);

  /** Makes the path name resources that contain one another, `If-Match` the ETag of the resource, and keys unique. */
  async function fitted(given: TestCase): Promise<TestCase> {
    const attempt = { ...given, request: withFreshKey(requests, given) };
    const { part = attempt.wrong?.field } = attempt;
    if (part?.startsWith('path/')) return attempt;
    const placed = { ...attempt, request: pool.placed(attempt.request) };
    const request = await tags.withTag(placed, async (reading) => {
      const asked: TestCase = { request: reading, what: 'reading the ETag', wrong: undefined };
      const read = await session.send(asked, wireOf(asked, ownCredentials(reading.operation)), true);
      return read instanceof Error ? undefined : read.response;
    });
    return { ...placed, request };
  }

  /** Ends the run. An operation that does what its description says violates nothing. */
  function endWith(end: EarlyEnd): never {
    session.end = end;
    const { lost, by, isExpected, detail } = end;
    const [check, message] =
      lost === 'service'
        ? (['responds', 'the service stopped responding after this request'] as const)
        : (['keeps-credentials', 'the service refuses the credentials after this request'] as const);
    if (!isExpected) session.conclude(by, check, message, detail);
    throw new TimeIsOver(message);
  }

  /** Checks a 429 that is repeated: if it is documented, it needs the headers and the body that are. */
  function reportLimit(sent: RespondedRequest): void {
    const { operation } = sent.attempt.request;
    if (!documentedResponse(operation, sent.response.status)) return;
    for (const { check, message, detail } of checkResponse(responses, operation, sent.response).violations)
      session.conclude(sent, check, message, detail);
  }

  function tally(operation: string, { made, violations }: CheckResult): void {
    for (const check of new Set([...made, ...violations.map((each) => each.check)]))
      session.count(operation, check, !violations.some((each) => each.check === check));
  }

  return session;
}

const signature = (operation: string, { check, message }: Violation): string =>
  `${operation} ${check} ${message}`;
