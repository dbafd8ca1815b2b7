import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { type Logger, pino } from 'pino';
import { handlers } from '../../../../generated/handlers.ts';
import type { OperationId } from '../../../../generated/operations.ts';
import { operations } from '../../../../generated/operations.ts';
import { requestCost } from '../../../../server/app.ts';
import { authorize } from '../../../../server/contract/authorize.ts';
import { ApiError, PipelineError } from '../../../../server/contract/errors.ts';
import type { HandlerResponse } from '../../../../server/contract/exchange.ts';
import { readRequestId } from '../../../../server/contract/request-id.ts';
import { errorBody, errorFormat, errorResponse } from '../../../../server/errors.ts';
import type { HandlerDependencies } from '../../../../server/features/api-handler.ts';
import { createIdempotency } from '../../../../server/features/idempotency.ts';
import {
  type AuthLimits,
  createAuthenticate,
  type TokenHolder,
} from '../../../../server/security/auth/authenticate.ts';
import { createCallerStore } from '../../../../server/security/auth/caller-store.ts';
import { createRateLimiter } from '../../../../server/security/auth/rate-limiter.ts';
import { publicHttpsOnly } from '../../../../server/security/egress/policy.ts';
import { createSecrets } from '../../../../server/security/secrets/encryption.ts';
import type { Store } from '../../../../server/storage/store.ts';

/**
 * The code that all implementations share: request ID, authentication, rate limit, scopes, handlers and log. The
 * implementations differ only in routing, validation and serialization.
 */
export interface SharedHandlers {
  store: Store;
  dependencies: HandlerDependencies;
  limits: AuthLimits;
  log: Logger;
  begin: (req: IncomingMessage) => BegunRequest;
  /** @throws ApiError */
  admit: (req: IncomingMessage, operation: OperationId) => Promise<AuthenticatedRequest>;
  /** @throws ApiError */
  handle: (operation: OperationId, input: HandlerInput, caller: TokenHolder) => Promise<HandlerResponse>;
  /** Converts an error to a response. */
  failed: (error: unknown) => HandlerResult;
  /** Whether an operation's response has an entity tag. */
  isTagged: (operation: OperationId) => boolean;
  answered: (
    begun: BegunRequest,
    about: { operation: string | undefined; status: number; caller: TokenHolder | undefined },
  ) => void;
}

export interface BegunRequest {
  requestId: string;
  method: string;
  startedAt: number;
}

export interface AuthenticatedRequest {
  caller: TokenHolder;
  headers: Record<string, string>;
}

export interface HandlerResult {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

export interface HandlerInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
}

/** Creates a server that is not listening yet. */
export type Serve = (workload: SharedHandlers) => Promise<Server>;

// Limits that are never reached.
const wide = { perMinute: 600_000_000, burst: 600_000_000 };

export function createSharedHandlers(store: Store): SharedHandlers {
  const limits = {
    tokens: createRateLimiter({ name: 'token', ...wide }, Date.now),
    failures: createRateLimiter({ name: 'failures', ...wide }, Date.now),
  };
  const authenticate = createAuthenticate({ store, now: Date.now, limits, costOf: requestCost });
  const callerStore = createCallerStore(store, Date.now);
  const dependencies: HandlerDependencies = {
    store: callerStore,
    now: Date.now,
    runIdempotent: createIdempotency({ store: callerStore, now: Date.now }),
    secrets: createSecrets(randomBytes(32)),
    addressPolicy: publicHttpsOnly,
    resolve: async () => [],
  };
  const log = pino({ base: null }, pino.destination({ dest: '/dev/null', sync: true }));
  return {
    store,
    dependencies,
    limits,
    log,
    begin: (req) => ({
      requestId: readRequestId(req.headers['x-request-id']),
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
      // Each implementation has validated the input in its own way, which the types cannot express.
      const response = await handlers[operation]({ ...input, caller } as never, dependencies);
      if ('errorName' in response) throw new ApiError(response);
      return response;
    },
    isTagged: (operation) => operation === 'getContact',
    failed(error) {
      const why =
        error instanceof ApiError
          ? error.errorResponse
          : error instanceof PipelineError
            ? errorFormat.respond(error.kind, error.details)
            : errorResponse('internalError');
      return { status: why.status, headers: why.headers, body: errorBody(why) };
    },
    answered({ requestId, method, startedAt }, { operation, status, caller }) {
      const durationMs = performance.now() - startedAt;
      log.info(
        { requestId, operation, method, status, durationMs, company: caller?.companyId },
        'request completed',
      );
    },
  };
}
