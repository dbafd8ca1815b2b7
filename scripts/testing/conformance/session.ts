import type { TestedOperation } from '../requests/operations.ts';
import type { HttpResponse, SendRequest } from '../requests/send.ts';
import { type SerializedRequest, serializeRequest, toCurl } from '../requests/serialize.ts';
import type { TestCase } from '../requests/test-case.ts';
import { TimeIsOver } from '../schema-values/arbitrary.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { listIn } from './behavior/next-page.ts';
import { checkCase } from './check-case.ts';
import { checkResponse, documentedResponse } from './check-response.ts';
import type { CheckResult, ConformanceCheck, Violation } from './check-result.ts';
import {
  type Credentials,
  credentialsFor,
  missingOptions,
  withCredentials,
  withoutMissing,
  withoutPinned,
  withoutSecrets,
} from './credentials.ts';
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

/** How often a check passed and failed. */
export interface CheckTally {
  held: number;
  invalid: number;
}

/** Numbers of valid requests of an operation, by outcome. */
export interface OutcomeCounts {
  sent: number;
  accepted: number;
  'rejected by a rule': number;
  'not found': number;
}

/** The state of a run, and the functions that send and count its requests. */
export interface Session {
  findings: ConformanceFinding[];
  tallies: Map<string, Map<ConformanceCheck, CheckTally>>;
  outcomes: Map<string, OutcomeCounts>;
  /** The operations that returned lists, and whether one of these had items. */
  lists: Map<string, boolean>;
  /** Business rules that rejected a request, as `operation: rule`. */
  rulesMet: Set<string>;
  requests: number;
  /** The current phase. */
  phase: Phase;
  /** Set if nothing can be tested any more, because the service or its credentials are gone. */
  end: EarlyEnd | undefined;
  /** Limitations of the run, for the report. */
  notes: Set<string>;
  /** Sends a test case and checks the response. Violations are counted, but not reported yet. */
  tryOut(attempt: TestCase): Promise<TriedRequest>;
  /**
   * Sends a request, and repeats it after a wait if the service returns 429. The caller checks the other responses.
   * @param hasCredentials whether it has the credentials of its operation
   * @returns an Error also if the run has ended with this request or before
   * @throws TimeIsOver if the run would end before the wait does
   */
  send(sent: Omit<SentRequest, 'response'>, hasCredentials: boolean): Promise<HttpResponse | Error>;
  count(operation: string, check: ConformanceCheck, held: boolean): void;
  /** Reports a violation unless it was reported before. @returns whether it is new */
  report(phase: Phase, tried: SentRequest, violation: Violation): boolean;
  isKnown(operation: string, violation: Violation): boolean;
  /** Whether the time limit was reached, or the service or its credentials are gone. */
  isOver(): boolean;
}

export interface TriedRequest extends SentRequest {
  result: CheckResult;
}

export interface SessionOptions extends RateLimitOptions {
  /** The request view and the response view of the contract. */
  requests: SchemaContext;
  responses: SchemaContext;
  send: SendRequest;
  /** Base URL of the service, for `curl` lines. */
  base: string;
  credentials: Credentials;
  /** Names of the headers and query parameters whose values no report may contain. */
  secret: readonly string[];
  /** All operations of the contract. */
  operations: readonly TestedOperation[];
  pool: ResourcePool;
  watch: ServiceWatch;
  onRequest?: ((session: Session) => void) | undefined;
}

// Maximum number of times that one request waits for the rate limit.
const maxWaits = 5;

/** Creates the session of a run. */
export function createSession({
  requests,
  responses,
  send,
  base,
  credentials,
  secret,
  operations,
  pool,
  watch,
  onRequest,
  ...limits
}: SessionOptions): Session {
  const known = new Set<string>();
  const tags = createEntityTags(operations);
  let isTimeOver = false;
  const session: Session = {
    findings: [],
    tallies: new Map(),
    outcomes: new Map(),
    lists: new Map(),
    rulesMet: new Set(),
    requests: 0,
    notes: new Set(),
    phase: 'examples',
    end: undefined,
    async send(sent, hasCredentials) {
      for (let waits = 0; ; waits += 1) {
        if (session.end) return new Error('The run has ended.');
        session.requests += 1;
        onRequest?.(session);
        const response = await send(sent.wire).catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        const isError = response instanceof Error;
        const done = { ...sent, response: isError ? undefined : response };
        const end = await watch.observe(done, hasCredentials, isError ? response : undefined);
        if (end) return endWith(end);
        if (isError || response.status !== 429 || waits >= maxWaits) return response;
        reportLimit(done, response);
        await waitForRateLimit(sent.wire, response, limits).catch((error: unknown) => {
          isTimeOver = true;
          if (error instanceof TimeIsOver) session.notes.add(error.message);
          throw error;
        });
      }
    },
    async tryOut(given) {
      const attempt = await fitted(given);
      const { operation } = attempt.request;
      const own = credentialsFor(operation, credentials, operations);
      const wire = withCredentials(
        changed(serializeRequest(withoutPinned(attempt, own)), attempt.instead),
        withoutMissing(own, attempt),
      );
      const response = await session.send({ attempt, wire }, true);
      const result: CheckResult =
        response instanceof Error
          ? { violations: [], made: [], outcome: 'failed', rule: undefined }
          : checkCase(responses, attempt, response);
      if (session.end) return { attempt, wire, response: undefined, result: { ...result, violations: [] } };
      if (response instanceof Error) {
        result.violations.push({ check: 'responds', message: `no response: ${response.message}` });
        tally(operation.id, result);
        return { attempt, wire, response: undefined, result };
      }
      const missing = response.status === 401 ? missingOptions(operation, own) : [];
      if (missing.length > 0) {
        result.violations = result.violations.filter(({ check }) => check !== 'accepts-valid');
        session.notes.add(
          `${operation.id}: 401, because its credentials were not given: ${missing.join(' ')}`,
        );
      }
      if (!attempt.wrong) pool.learn(attempt.request, response);
      tags.learn(wire, response);
      tally(operation.id, result);
      if (!attempt.wrong) noteOutcome(operation, result);
      if (result.outcome === 'accepted' && !session.lists.get(operation.id)) {
        const items = listIn(operation, response);
        if (items) session.lists.set(operation.id, items.length > 0);
      }
      return { attempt, wire, response, result };
    },
    count(operation, check, held) {
      const own = session.tallies.get(operation) ?? new Map<ConformanceCheck, CheckTally>();
      const { held: so, invalid } = own.get(check) ?? { held: 0, invalid: 0 };
      own.set(check, held ? { held: so + 1, invalid } : { held: so, invalid: invalid + 1 });
      session.tallies.set(operation, own);
    },
    report(phase, { attempt, wire, response }, violation) {
      const operation = attempt.request.operation.id;
      if (session.isKnown(operation, violation)) return false;
      known.add(signature(operation, violation));
      const seen = response
        ? {
            status: response.status,
            body: withoutSecrets(response.text.slice(0, 2_000), credentials, secret),
          }
        : undefined;
      session.findings.push({
        phase,
        ...violation,
        operation,
        what: attempt.what,
        curl: toCurl(base, wire, secret),
        response: seen,
      });
      return true;
    },
    isKnown: (operation, violation) => known.has(signature(operation, violation)),
    isOver: () => session.end !== undefined || isTimeOver || limits.timeLeft() < 0,
  };

  /** Makes the path name resources that contain one another, `If-Match` the ETag of the resource, and keys unique. */
  async function fitted(given: TestCase): Promise<TestCase> {
    const attempt = { ...given, request: withFreshKey(requests, given) };
    const { part = attempt.wrong?.field } = attempt;
    if (part?.startsWith('path/')) return attempt;
    const placed = { ...attempt, request: pool.placed(attempt.request) };
    const request = await tags.withTag(placed, async (reading) => {
      const own = credentialsFor(reading.operation, credentials, operations);
      const asked: TestCase = { request: reading, what: 'reading the ETag', wrong: undefined };
      const wire = withCredentials(serializeRequest(withoutPinned(asked, own)), own);
      const response = await session.send({ attempt: asked, wire }, true);
      return response instanceof Error ? undefined : response;
    });
    return { ...placed, request };
  }

  /** Ends the run. An operation that does what its description says violates nothing. */
  function endWith(end: EarlyEnd): Error {
    session.end = end;
    const { lost, by, isExpected, detail } = end;
    const { id } = by.attempt.request.operation;
    const check = lost === 'service' ? 'responds' : 'keeps-credentials';
    const message =
      lost === 'service'
        ? 'the service stopped responding after this request'
        : 'the service refuses the credentials after this request';
    if (isExpected) return new Error(message);
    session.count(id, check, false);
    session.report(session.phase, by, { check, message, detail });
    return new Error(message);
  }

  /** Checks a 429 that is repeated: if it is documented, it needs the headers and the body that are. */
  function reportLimit(sent: SentRequest, response: HttpResponse): void {
    const { operation } = sent.attempt.request;
    if (!documentedResponse(operation, response.status)) return;
    const result: CheckResult = { violations: [], made: [], outcome: 'rejected', rule: undefined };
    checkResponse(responses, operation, response, result);
    for (const violation of result.violations) {
      session.count(operation.id, violation.check, false);
      session.report(session.phase, sent, violation);
    }
  }

  function tally(operation: string, { made, violations }: CheckResult): void {
    for (const check of new Set([...made, ...violations.map((each) => each.check)]))
      session.count(operation, check, !violations.some((each) => each.check === check));
  }

  function noteOutcome(operation: TestedOperation, { outcome, rule }: CheckResult): void {
    const before = session.outcomes.get(operation.id) ?? {
      sent: 0,
      accepted: 0,
      'rejected by a rule': 0,
      'not found': 0,
    };
    before.sent += 1;
    if (outcome === 'accepted' || outcome === 'rejected by a rule' || outcome === 'not found')
      before[outcome] += 1;
    session.outcomes.set(operation.id, before);
    if (rule) session.rulesMet.add(`${operation.id}: ${rule.rule}`);
  }
  return session;
}

const signature = (operation: string, { check, message }: Violation): string =>
  `${operation} ${check} ${message}`;

const changed = (wire: SerializedRequest, instead: TestCase['instead'] = {}): SerializedRequest => ({
  ...wire,
  ...instead,
  headers: { ...wire.headers, ...instead.headers },
});
