import { contract } from '../../generated/contract.js';
import { handlers } from '../../generated/handlers.ts';
import { requestCost } from '../../server/app.ts';
import { callHandlers } from '../../server/contract/call-handlers.ts';
import type { Attempt } from '../../server/delivery/attempt.ts';
import type { WebhookRequest } from '../../server/delivery/webhook-request.ts';
import { startWorker } from '../../server/delivery/worker.ts';
import { errorFormat, errorResponse } from '../../server/errors.ts';
import { createIdempotency } from '../../server/features/idempotency.ts';
import { createFetchPipeline } from '../../server/http/fetch/fetch-handler.ts';
import { entityTag } from '../../server/own-contract/entity-tag.ts';
import type { Caller } from '../../server/own-contract/handler.ts';
import { requestRulesFor } from '../../server/request-rules.ts';
import { createAuthenticate } from '../../server/security/auth/authenticate.ts';
import { createCallerStore } from '../../server/security/auth/caller-store.ts';
import { createRateLimiter } from '../../server/security/auth/rate-limiter.ts';
import { publicHttpsOnly } from '../../server/security/egress/policy.ts';
import { createSecrets } from '../../server/security/secrets/encryption.ts';
import { leaseMs } from '../../server/storage/queue-types.ts';
import { openSqlite } from '../../server/storage/sqlite/sqlite-store.ts';
import { type Store, StoreUnavailable } from '../../server/storage/store.ts';
import type { Actor } from './scheduler.ts';

/** A request of a client. */
export interface ApiRequest {
  method: string;
  url: string;
  token: string;
  headers?: Record<string, string>;
  body?: object;
}

export interface ApiReply {
  status: number;
  headers: Readonly<Record<string, unknown>>;
  text: string;
}

/** A process of the service, which responds to requests and delivers webhooks. */
export interface ServiceProcess {
  actor: Actor;
  store: Store;
  handle: (request: ApiRequest) => Promise<ApiReply>;
  stop: () => Promise<void>;
}

/** Small, so that a few requests reach them. */
export const deliveryLimits = { perWorker: 10, perCompany: 3, perWebhook: 2 };

/** Longer than in production, because an idle second of the simulation costs a poll of each process. */
const pollMs = 1_000;

const noLimit = () => createRateLimiter({ name: 'none', perMinute: 0, burst: 1 }, Date.now);

/** The key of the encryption of secrets. */
export const secretKey = new Uint8Array(32).fill(7);

/**
 * Starts a process on a database file. It must be called in a task of the actor.
 * @param send sends webhook requests; without it, none are sent
 */
export async function startServiceProcess(
  actor: Actor,
  file: string,
  send: ((request: WebhookRequest, signal: AbortSignal) => Promise<Attempt>) | undefined,
  onError: (error: unknown) => void,
): Promise<ServiceProcess> {
  const store = await openSqlite(file);
  const secrets = createSecrets(secretKey);
  const now = Date.now;
  const callerStore = createCallerStore(store, now);
  const dependencies = {
    store: callerStore,
    now,
    secrets,
    addressPolicy: publicHttpsOnly,
    resolve: async () => [],
    runIdempotent: createIdempotency({ store: callerStore, now }),
  };
  const limits = { tokens: noLimit(), failures: noLimit() };
  const authenticate = createAuthenticate({ store, now, limits, costOf: requestCost });
  const handle = createFetchPipeline<Caller>({
    contract,
    errors: errorFormat,
    mapError: (error) =>
      error instanceof StoreUnavailable
        ? errorResponse('databaseUnavailable', { headers: { 'Retry-After': '1' } })
        : undefined,
    onError: ({ error }) => onError(error),
    authenticate,
    checks: requestRulesFor(publicHttpsOnly),
    respond: callHandlers(handlers, dependencies),
    entityTag,
  });
  const worker = send
    ? startWorker({
        ...{ store, secrets, now, send, leaseMs, onError, limits: deliveryLimits },
        pollMs,
        onAttempt: () => {},
      })
    : undefined;
  return {
    actor,
    store,
    async handle({ method, url, token, headers = {}, body }) {
      const content = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      const sent: Record<string, string> = {
        ...headers,
        authorization: `Bearer ${token}`,
        ...(content ? { 'content-type': 'application/json', 'content-length': String(content.length) } : {}),
      };
      const { response } = await handle({
        head: { method, url, headers: sent, rawHeaders: Object.entries(sent).flat() },
        body: new Uint8Array(content ?? []),
      });
      const { status, payload } = response;
      const text = payload === undefined ? '' : Buffer.from(payload).toString();
      return { status, headers: response.headers, text };
    },
    async stop() {
      await worker?.stop();
      await store.close();
    },
  };
}
