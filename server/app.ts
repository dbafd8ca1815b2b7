import type { RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import express from 'express';
import type { OperationId } from '../generated/operations.ts';
import { callHandler, type HandlerDependencies } from './api.ts';
import { type AuthLimits, createAuthenticate } from './auth/authenticate.ts';
import { createTokenCompanyCache } from './auth/token-company-cache.ts';
import { entityTag } from './contract/entity-tag.ts';
import { type Caller, type Input, isOperationId, paths } from './contract/handler.ts';
import { errorFormat, errorResponse } from './errors.ts';
import { clientAddress } from './http/client-address.ts';
import { serveContract } from './http/contract-pages.ts';
import { serveIndex } from './http/index-page.ts';
import { sendOverloaded } from './http/overload-response.ts';
import { logPageRequest, type PageRecord } from './http/page-log.ts';
import { servePortal } from './http/portal.ts';
import { createProbes } from './http/probes.ts';
import { createIdempotency } from './idempotency/idempotency.ts';
import { allowOrigins } from './lib/cors.ts';
import { createLoadShedder, type LoadShedder } from './load-shedding/load-shedder.ts';
import type { ErrorReporter } from './pipeline/error-response.ts';
import { ApiError } from './pipeline/errors.ts';
import type { ContractDocument } from './pipeline/operation.ts';
import { createPipeline, type PipelineOptions, type RequestLogRecord } from './pipeline/pipeline.ts';
import { requestRulesFor } from './request-rules.ts';
import { hasCompanies } from './storage/queries/companies.ts';
import { type Store, StoreUnavailable } from './storage/store.ts';

export interface AppOptions extends Omit<HandlerDependencies, 'runIdempotent'> {
  /** How long a request waits for a concurrent one with the same Idempotency-Key, in milliseconds. */
  keyWaitMs?: number;
  /** The bundled contract. */
  document: ContractDocument;
  /** Authenticates callers (default: by the tokens in the store). */
  authenticate?: PipelineOptions<Caller>['authenticate'];
  limits: AuthLimits;
  /** Sheds load (default: a load shedder with its own settings). */
  loadShedder?: LoadShedder;
  allowedOrigins: readonly string[];
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[];
  /** The folder of the built portal, if there is one. */
  portal?: string | undefined;
  /** Returns false as soon as the service shuts down. */
  isReady: () => boolean;
  onResponse: (record: RequestLogRecord<Caller>) => void;
  /** Called after each response of a public page: the contract or the portal. */
  onPage?: (record: PageRecord) => void;
  /** Called after each response to a probe. */
  onProbe?: (record: PageRecord) => void;
  /** Called for each request that was shed. */
  onShed?: () => void;
  onError: ErrorReporter;
  observe?: PipelineOptions<Caller>['observe'];
}

/**
 * Creates the service; it does not listen. API requests go directly to the pipeline, because routing them through
 * Express would cost as much as all contract checks. Express serves everything else.
 */
export async function createApp(options: AppOptions): Promise<RequestListener> {
  const { store, document, onResponse, onError, onPage = () => {}, onProbe = () => {} } = options;
  const dependencies: HandlerDependencies = { ...options, runIdempotent: createIdempotency(options) };
  const authenticate = options.authenticate ?? createAuthenticate({ ...options, costOf: requestCost });
  const loadShedder = options.loadShedder ?? createLoadShedder();
  const companies = createTokenCompanyCache();
  const pipeline = await createPipeline<Caller>({
    document,
    errors: errorFormat,
    concurrencyLimiter: {
      acquire: (caller) => loadShedder.acquire(caller && String(caller.companyId)),
      release: (caller) => loadShedder.release(caller && String(caller.companyId)),
    },
    authenticate: async (credentials) => {
      const { authorization = '' } = credentials.headers;
      try {
        const admission = await authenticate(credentials);
        companies.learn(authorization, admission.caller.companyId);
        return admission;
      } catch (error) {
        if (error instanceof ApiError && error.errorResponse.status === 401) companies.forget(authorization);
        throw error;
      }
    },
    addressOf: clientAddress(options.trustedProxies ?? []),
    checks: requestRulesFor(options.addressPolicy),
    respond: ({ id }, input) => {
      if (!isOperationId(id)) throw new Error(`${id} has no handler.`);
      // The pipeline has validated the input against the contract, from which its type is generated.
      return callHandler(id, input as Input<OperationId>, dependencies);
    },
    entityTag,
    mapError: (error) =>
      error instanceof StoreUnavailable
        ? errorResponse('unavailable', { headers: { 'Retry-After': '1' } })
        : undefined,
    onResponse,
    onError,
    observe: options.observe,
  });
  const shed: RequestListener = (req, res) => {
    sendOverloaded(req, res);
    options.onShed?.();
  };
  const respond: RequestListener = (req, res) => {
    if (loadShedder.admit(companies.of(req.headers.authorization))) return pipeline(req, res);
    shed(req, res);
  };
  const expressApp = express();
  expressApp.disable('x-powered-by');
  expressApp.disable('etag');
  expressApp.use(allowOrigins((origin) => options.allowedOrigins.includes(origin)));
  expressApp.use(serveIndex({ document, hasPortal: options.portal !== undefined, onPage }));
  expressApp.use(serveContract({ document, onPage }));
  if (options.portal !== undefined)
    expressApp.use('/docs', logPageRequest('/docs', onPage), servePortal(options.portal));
  const isApiRequest = beginsAsOneOf(paths);
  expressApp.use((req, res) => (isApiRequest(req.url) ? respond : pipeline)(req, res));

  const probe = createProbes({ isReady: options.isReady, databaseState: () => stateOf(store), onProbe });
  return (req, res) => {
    if (isApiRequest(req.url ?? ''))
      return (req.headers.origin === undefined ? respond : expressApp)(req, res);
    if (probe(req, res)) return;
    // All other paths are public. They are shed like requests from unauthenticated clients.
    (loadShedder.admit(undefined) ? expressApp : shed)(req, res);
  };
}

/** Whether a URL begins with the first segment of one of these paths. */
function beginsAsOneOf(paths: readonly string[]): (url: string) => boolean {
  const firsts = new Set(paths.map((path) => `/${path.split('/', 2)[1]}/`));
  return (url) => firsts.has(url.slice(0, url.indexOf('/', 1) + 1));
}

const requestCosts: Partial<Record<OperationId, number>> = { searchContacts: 5 };

/** Returns how many requests a request counts as in the rate limit of its token (D33). */
export const requestCost = (operation: OperationId | undefined): number =>
  (operation && requestCosts[operation]) ?? 1;

// Timeout for the readiness check.
const readyMs = 2_000;

/** Returns `away` also if the database does not respond in time. */
async function stateOf(store: Store): Promise<'ok' | 'away' | 'damaged'> {
  if (store.health().isCorrupted) return 'damaged';
  const patience = new AbortController();
  const silence = wait(readyMs, false, { signal: patience.signal }).catch(() => false);
  const response = store.read(hasCompanies).then(
    () => true,
    () => false,
  );
  const isReachable = await Promise.race([response, silence]);
  patience.abort();
  return isReachable ? 'ok' : 'away';
}
