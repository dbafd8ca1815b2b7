import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { type Logger, pino } from 'pino';
import type { OperationId } from '../../../../generated/operations.ts';
import { operations } from '../../../../generated/operations.ts';
import { api, type Needs } from '../../../../server/api.ts';
import { costOf } from '../../../../server/app.ts';
import { createAuthenticate, type Limits, type TokenHolder } from '../../../../server/auth/authenticate.ts';
import { strictest } from '../../../../server/egress/policy.ts';
import { errorBody, Refused, refusal } from '../../../../server/errors.ts';
import { createOnce } from '../../../../server/idempotency/idempotency.ts';
import { authorize } from '../../../../server/pipeline/authorize.ts';
import type { GivenAnswer } from '../../../../server/pipeline/exchange.ts';
import { requestIdFrom } from '../../../../server/pipeline/request-id.ts';
import { createLimiter } from '../../../../server/rate-limit/token-bucket.ts';
import { createSecrets } from '../../../../server/secrets/encryption.ts';
import type { Store } from '../../../../server/storage/store.ts';

/**
 * What every contestant does alike, in the same code: the name of the request, the token and its limit, the scopes,
 * the handlers with their statements, and the log. They differ in how a request is led to its handler, and in how it
 * and its answer are judged and written.
 */
export interface SameWork {
  needs: Needs;
  limits: Limits;
  log: Logger;
  begin: (req: IncomingMessage) => Begun;
  /** @throws Refused */
  admit: (req: IncomingMessage, operation: OperationId) => Promise<Admitted>;
  /** @throws Refused */
  handle: (operation: OperationId, input: HandInput, caller: TokenHolder) => Promise<GivenAnswer>;
  /** The answer to what went wrong. */
  failed: (error: unknown) => Answer;
  /** Whether an operation's answer has an entity tag, which is made of its JSON. */
  isTagged: (operation: OperationId) => boolean;
  answered: (
    begun: Begun,
    about: { operation: string | undefined; status: number; caller: TokenHolder | undefined },
  ) => void;
}

export interface Begun {
  requestId: string;
  method: string;
  startedAt: number;
}

export interface Admitted {
  caller: TokenHolder;
  headers: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** What a handler reads. */
export interface HandInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
}

/** A contestant: a server over the same work that does not listen yet. */
export type Serve = (work: SameWork) => Promise<Server>;

// So wide that nobody meets it: what is compared is what it costs.
const wide = { perMinute: 600_000_000, burst: 600_000_000 };

const handlers: Readonly<Record<string, (input: never, needs: Needs) => Promise<GivenAnswer>>> = api as never;

export function createSameWork(store: Store): SameWork {
  const limits = {
    tokens: createLimiter({ name: 'token', ...wide }, Date.now),
    failures: createLimiter({ name: 'failures', ...wide }, Date.now),
  };
  const authenticate = createAuthenticate({ store, now: Date.now, limits, costOf });
  const needs: Needs = {
    store,
    now: Date.now,
    once: createOnce({ store, now: Date.now }),
    secrets: createSecrets(randomBytes(32)),
    addressPolicy: strictest,
    resolve: async () => [],
  };
  const log = pino({ base: null }, pino.destination({ dest: '/dev/null', sync: true }));
  return {
    needs,
    limits,
    log,
    begin: (req) => ({
      requestId: requestIdFrom(req.headers['x-request-id']),
      method: req.method ?? '',
      startedAt: performance.now(),
    }),
    async admit(req, operation) {
      const address = () => req.socket.remoteAddress ?? '';
      const { caller, scopes, headers } = await authenticate({ headers: req.headers, address, operation });
      authorize(operations[operation].security, scopes);
      return { caller, headers };
    },
    async handle(operation, input, caller) {
      const answer = await handlers[operation]?.({ ...input, caller } as never, needs);
      if (!answer) throw new Error(`${operation} has no handler.`);
      if ('refused' in answer) throw new Refused(answer as never);
      return answer;
    },
    isTagged: (operation) => operation === 'getContact',
    failed(error) {
      const why = error instanceof Refused ? error.refusal : refusal('internal');
      return { status: why.status, headers: why.headers, body: errorBody(why) };
    },
    answered({ requestId, method, startedAt }, { operation, status, caller }) {
      const durationMs = performance.now() - startedAt;
      log.info({ requestId, operation, method, status, durationMs, company: caller?.companyId }, 'answered');
    },
  };
}
