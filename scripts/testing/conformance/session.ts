import { setTimeout as wait } from 'node:timers/promises';
import type { Operation, SecurityScheme } from '../requests/operations.ts';
import type { Answer, Send } from '../requests/send.ts';
import { curlOf, variableOf, type Wire, wireOf } from '../requests/serialize.ts';
import type { Attempt } from '../requests/test-case.ts';
import type { World } from '../schema-values/schema-context.ts';
import { judge } from './check-case.ts';
import type { Check, Complaint, Verdict } from './check-result.ts';
import type { Pool } from './resource-pool.ts';

export const phases = ['examples', 'boundaries', 'random', 'stateful'] as const;
export type Phase = (typeof phases)[number];

/** A complaint with what brought it about. */
export interface Finding extends Complaint {
  phase: Phase;
  operation: string;
  /** What was tried, for people. */
  what: string;
  /** The request as a line for a shell. */
  curl: string;
  answer: { status: number; body: string } | undefined;
}

/** How often a check held, and how often it did not. */
export interface Tally {
  held: number;
  broken: number;
}

/** How the sound requests to an operation ended. */
export interface Outcomes {
  sent: number;
  accepted: number;
  'refused by a rule': number;
  'not found': number;
}

/** What is known so far; everything that is tried goes through here. */
export interface Session {
  findings: Finding[];
  tallies: Map<string, Map<Check, Tally>>;
  outcomes: Map<string, Outcomes>;
  /** Rules of operations that have refused something, as `operation: rule`. */
  rulesMet: Set<string>;
  requests: number;
  /** What else whoever reads the report has to know. */
  notes: Set<string>;
  /** Sends an attempt and judges what comes back. Complaints are counted, and not findings yet. */
  tryOut(attempt: Attempt): Promise<Tried>;
  /** Sends what belongs to no documented operation, and is judged by whoever sends it. */
  sendRaw(wire: Wire): Promise<Answer | Error>;
  count(operation: string, check: Check, held: boolean): void;
  /** Notes a complaint as a finding, unless the same was found before. @returns whether it is new */
  report(phase: Phase, tried: Pick<Tried, 'attempt' | 'wire' | 'answer'>, complaint: Complaint): boolean;
  isKnown(operation: string, complaint: Complaint): boolean;
}

export interface Tried {
  attempt: Attempt;
  wire: Wire;
  answer: Answer | undefined;
  verdict: Verdict;
}

export interface SessionOptions {
  /** Of the document as it speaks of answers. */
  answers: World;
  send: Send;
  /** Where it is sent to, for the `curl` lines. */
  base: string;
  credentials: Credentials;
  pool: Pool;
  onRequest?: ((session: Session) => void) | undefined;
}

/** What lets a caller in. */
export interface Credentials {
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

// Whoever is told to wait waits, but not for ever.
const mostWaits = 5;
const longestWaitMs = 60_000;

/** What is tried shares one: the service, what it has shown so far, and what was found. */
export function createSession({
  answers,
  send,
  base,
  credentials,
  pool,
  onRequest,
}: SessionOptions): Session {
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
        const answer = await send(wire).catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        if (answer instanceof Error || answer.status !== 429 || waits >= mostWaits) return answer;
        await wait(Math.min(longestWaitMs, 1_000 * Number(answer.headers['retry-after'] ?? 1)) || 1_000);
      }
    },
    async tryOut(attempt) {
      const { request } = attempt;
      const wire = withCredentials(changed(wireOf(request), attempt.instead), credentials);
      const answer = await session.sendRaw(wire);
      if (answer instanceof Error) {
        const complaint: Complaint = { check: 'answered', message: `no answer: ${answer.message}` };
        const verdict: Verdict = {
          complaints: [complaint],
          made: ['answered'],
          outcome: 'failed',
          rule: undefined,
        };
        tally(request.operation.id, verdict);
        return { attempt, wire, answer: undefined, verdict };
      }
      if (!attempt.wrong) pool.learn(request, answer);
      const verdict = judge(answers, attempt, answer);
      tally(request.operation.id, verdict);
      if (!attempt.wrong) noteOutcome(request.operation, verdict);
      return { attempt, wire, answer, verdict };
    },
    count(operation, check, held) {
      const own = session.tallies.get(operation) ?? new Map<Check, Tally>();
      const { held: so, broken } = own.get(check) ?? { held: 0, broken: 0 };
      own.set(check, held ? { held: so + 1, broken } : { held: so, broken: broken + 1 });
      session.tallies.set(operation, own);
    },
    report(phase, { attempt, wire, answer }, complaint) {
      const operation = attempt.request.operation.id;
      if (session.isKnown(operation, complaint)) return false;
      known.add(signature(operation, complaint));
      const seen = answer
        ? { status: answer.status, body: withoutSecrets(answer.text.slice(0, 2_000), credentials) }
        : undefined;
      session.findings.push({
        phase,
        ...complaint,
        operation,
        what: attempt.what,
        curl: curlOf(base, wire, secret),
        answer: seen,
      });
      return true;
    },
    isKnown: (operation, complaint) => known.has(signature(operation, complaint)),
  };

  function tally(operation: string, { made, complaints }: Verdict): void {
    for (const check of new Set([...made, ...complaints.map((each) => each.check)]))
      session.count(operation, check, !complaints.some((each) => each.check === check));
  }

  function noteOutcome(operation: Operation, { outcome, rule }: Verdict): void {
    const before = session.outcomes.get(operation.id) ?? {
      sent: 0,
      accepted: 0,
      'refused by a rule': 0,
      'not found': 0,
    };
    before.sent += 1;
    if (outcome === 'accepted' || outcome === 'refused by a rule' || outcome === 'not found')
      before[outcome] += 1;
    session.outcomes.set(operation.id, before);
    if (rule) session.rulesMet.add(`${operation.id}: ${rule.rule}`);
  }
  return session;
}

const signature = (operation: string, { check, message }: Complaint): string =>
  `${operation} ${check} ${message}`;

const changed = (wire: Wire, instead: Attempt['instead'] = {}): Wire => ({
  ...wire,
  ...instead,
  headers: { ...wire.headers, ...instead.headers },
});

/** A service may repeat in its answer what it was sent. */
function withoutSecrets(text: string, { headers, query }: Credentials): string {
  const values = [...Object.entries(headers), ...Object.entries(query)].filter(
    ([, value]) => value.length > 3,
  );
  return values.reduce(
    (left, [name, value]) => left.replaceAll(value.replace(/^(Bearer|Basic) /, ''), `$${variableOf(name)}`),
    text,
  );
}

/** The request with credentials; what it says itself counts before them. */
export function withCredentials(wire: Wire, { headers, query }: Credentials): Wire {
  // A cookie that lets in and one that is a parameter share their header.
  const both = [headers.Cookie ?? headers.cookie, wire.headers.Cookie].flatMap((each) => each ?? []);
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  const mark = wire.target.includes('?') ? '&' : '?';
  return {
    ...wire,
    headers: { ...headers, ...wire.headers, ...(both.length === 2 ? { Cookie: both.join('; ') } : {}) },
    target: pairs.length > 0 ? wire.target + mark + pairs.join('&') : wire.target,
  };
}

/** The credentials without those that some security schemes ask for. */
export function withoutCredentials(
  { headers, query }: Credentials,
  schemes: readonly SecurityScheme[],
): Credentials {
  const names = schemes.map(({ type, name }) =>
    (type === 'apiKey' ? (name ?? '') : 'authorization').toLowerCase(),
  );
  const inCookie = schemes.some(({ type, in: place }) => type === 'apiKey' && place === 'cookie');
  const kept = (given: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name.toLowerCase())));
  const { Cookie: _cookie, cookie: _lower, ...noCookies } = kept(headers);
  return { headers: inCookie ? noCookies : kept(headers), query: kept(query) };
}
