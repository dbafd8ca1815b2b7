import { setTimeout as wait } from 'node:timers/promises';
import type { TestedOperation } from '../requests/operations.ts';
import type { HttpResponse, SendRequest } from '../requests/send.ts';
import { type SerializedRequest, serializeRequest, shellVariable, toCurl } from '../requests/serialize.ts';
import type { TestCase } from '../requests/test-case.ts';
import type { SchemaContext } from '../schema-values/schema-context.ts';
import { checkCase } from './check-case.ts';
import type { CheckResult, ConformanceCheck, Violation } from './check-result.ts';
import { type Credentials, credentialsFor, withCredentials, withoutMissing } from './credentials.ts';
import type { ResourcePool } from './resource-pool.ts';

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
  response: { status: number; body: string; requestId: string | undefined } | undefined;
  /** The cause of a server error, from the service's log. */
  cause?: string;
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
  /** Business rules that rejected a request, as `operation: rule`. */
  rulesMet: Set<string>;
  requests: number;
  /** Limitations of the run, for the report. */
  notes: Set<string>;
  /** Sends a test case and checks the response. Violations are counted, but not reported yet. */
  tryOut(attempt: TestCase): Promise<TriedRequest>;
  /** Sends a request, and repeats it after a wait if the service returns 429. The caller checks the response. */
  sendRaw(wire: SerializedRequest): Promise<HttpResponse | Error>;
  count(operation: string, check: ConformanceCheck, held: boolean): void;
  /** Reports a violation unless it was reported before. @returns whether it is new */
  report(
    phase: Phase,
    tried: Pick<TriedRequest, 'attempt' | 'wire' | 'response'>,
    violation: Violation,
  ): boolean;
  isKnown(operation: string, violation: Violation): boolean;
  /** Whether the time limit was reached. */
  isOver(): boolean;
}

export interface TriedRequest {
  attempt: TestCase;
  wire: SerializedRequest;
  response: HttpResponse | undefined;
  result: CheckResult;
}

export interface SessionOptions {
  /** The response view of the contract. */
  responses: SchemaContext;
  send: SendRequest;
  /** Base URL of the service, for `curl` lines. */
  base: string;
  credentials: Credentials;
  /** All operations of the contract. */
  operations: readonly TestedOperation[];
  pool: ResourcePool;
  maxSeconds?: number | undefined;
  onRequest?: ((session: Session) => void) | undefined;
}

// Maximum number of times that one request waits for the rate limit.
const maxWaits = 5;
const maxWaitMs = 60_000;

/** Creates the session of a run. */
export function createSession({
  responses,
  send,
  base,
  credentials,
  operations,
  pool,
  maxSeconds = Number.POSITIVE_INFINITY,
  onRequest,
}: SessionOptions): Session {
  const endsAt = performance.now() + maxSeconds * 1_000;
  const known = new Set<string>();
  const secret = [...Object.keys(credentials.headers), ...Object.keys(credentials.query)];
  const session: Session = {
    findings: [],
    tallies: new Map(),
    outcomes: new Map(),
    rulesMet: new Set(),
    requests: 0,
    notes: new Set(),
    async sendRaw(wire) {
      for (let waits = 0; ; waits += 1) {
        session.requests += 1;
        onRequest?.(session);
        const response = await send(wire).catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        if (response instanceof Error || response.status !== 429 || waits >= maxWaits) return response;
        await wait(Math.min(maxWaitMs, 1_000 * Number(response.headers['retry-after'] ?? 1)) || 1_000);
      }
    },
    async tryOut(attempt) {
      const { request } = attempt;
      const wire = withCredentials(
        changed(serializeRequest(request), attempt.instead),
        withoutMissing(credentialsFor(request.operation, credentials, operations), attempt),
      );
      const response = await session.sendRaw(wire);
      if (response instanceof Error) {
        const violation: Violation = { check: 'responds', message: `no response: ${response.message}` };
        const result: CheckResult = {
          violations: [violation],
          made: ['responds'],
          outcome: 'failed',
          rule: undefined,
        };
        tally(request.operation.id, result);
        return { attempt, wire, response: undefined, result };
      }
      if (!attempt.wrong) pool.learn(request, response);
      const result = checkCase(responses, attempt, response);
      tally(request.operation.id, result);
      if (!attempt.wrong) noteOutcome(request.operation, result);
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
            body: withoutSecrets(response.text.slice(0, 2_000), credentials),
            requestId: response.headers['x-request-id'],
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
    isOver: () => performance.now() > endsAt,
  };

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

/** Replaces credentials in a response with shell variables, because a service may repeat them. */
function withoutSecrets(text: string, { headers, query }: Credentials): string {
  const values = [...Object.entries(headers), ...Object.entries(query)].filter(
    ([, value]) => value.length > 3,
  );
  return values.reduce(
    (left, [name, value]) =>
      left.replaceAll(value.replace(/^(Bearer|Basic) /, ''), `$${shellVariable(name)}`),
    text,
  );
}
