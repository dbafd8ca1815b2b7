import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { pino } from 'pino';
import { handlers } from '../../../../generated/handlers.ts';
import { type OperationId, operations } from '../../../../generated/operations.ts';
import { requestCost } from '../../../../server/app.ts';
import { authorize } from '../../../../server/contract/authorize.ts';
import { ApiError } from '../../../../server/contract/errors.ts';
import type { HandlerResponse } from '../../../../server/contract/exchange.ts';
import type { HandlerDependencies } from '../../../../server/features/api-handler.ts';
import { createIdempotency } from '../../../../server/features/idempotency.ts';
import type { Caller } from '../../../../server/own-contract/handler.ts';
import { createAuthenticate } from '../../../../server/security/auth/authenticate.ts';
import { createCallerStore } from '../../../../server/security/auth/caller-store.ts';
import { createRateLimiter } from '../../../../server/security/auth/rate-limiter.ts';
import { publicHttpsOnly } from '../../../../server/security/egress/policy.ts';
import { createSecrets } from '../../../../server/security/secrets/encryption.ts';
import type { Store } from '../../../../server/storage/store.ts';

export interface HandlerInput {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, unknown>;
  body: unknown;
}

export type SharedHandlers = ReturnType<typeof createSharedHandlers>;

/** Creates a server that is not listening yet. */
export type Serve = (shared: SharedHandlers) => Promise<Server>;

// Limits that are never reached.
const wide = { perMinute: 600_000_000, burst: 600_000_000 };

/**
 * Creates what all implementations share: authentication, rate limit, scopes, handlers and log. The implementations differ only
 * in routing, validation and serialization.
 */
export function createSharedHandlers(store: Store) {
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
  return {
    ...{ store, dependencies, limits },
    log: pino({ base: null }, pino.destination({ dest: '/dev/null', sync: true })),
    /** @throws ApiError */
    async admit(req: IncomingMessage, operation: OperationId) {
      const address = () => req.socket.remoteAddress ?? '';
      const { caller, scopes, headers } = await authenticate({ headers: req.headers, address, operation });
      authorize(operations[operation].security, scopes);
      return { caller, headers };
    },
    /** @throws ApiError */
    async handle(operation: OperationId, input: HandlerInput, caller: Caller): Promise<HandlerResponse> {
      // Each implementation has validated the input in its own way, which the types cannot express.
      const response = await handlers[operation]({ ...input, caller } as never, dependencies);
      if ('errorName' in response) throw new ApiError(response);
      return response;
    },
  };
}
