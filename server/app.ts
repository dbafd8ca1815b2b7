import type { IncomingMessage } from 'node:http';
import express, { type Express, type RequestHandler, type Response } from 'express';
import { contract } from '../generated/contract.js';
import { handlers } from '../generated/handlers.ts';
import type { OperationId } from '../generated/operations.ts';
import { callHandlers } from './contract/call-handlers.ts';
import type { ErrorReporter } from './contract/error-response.ts';
import { ApiError } from './contract/errors.ts';
import { errorFormat, errorResponse, overloaded } from './errors.ts';
import type { HandlerDependencies } from './features/api-handler.ts';
import { createIdempotency } from './features/idempotency.ts';
import { clientAddress } from './http/client-address.ts';
import {
  createErrorHandler,
  createPipeline,
  type PipelineOptions,
  type RequestLogRecord,
} from './http/express/pipeline.ts';
import { logPageRequest, type PageRecord, serveContract, servePortal } from './http/pages.ts';
import { createProbes } from './http/probes.ts';
import { forPaths, inSequence, sendOverloaded, setRequestId } from './http/service-steps.ts';
import { createCors } from './lib/cors.ts';
import { createFairQueue, type FairQueue, type FairQueueOptions } from './lib/fair-queue.ts';
import { continueTrace } from './lib/trace-context.ts';
import { entityTag } from './own-contract/entity-tag.ts';
import type { Caller } from './own-contract/handler.ts';
import { requestRulesFor } from './request-rules.ts';
import { type AuthLimits, createAuthenticate } from './security/auth/authenticate.ts';
import { createCallerStore } from './security/auth/caller-store.ts';
import { createTokenCompanyCache } from './security/auth/token-company-cache.ts';
import { type Store, StoreUnavailable } from './storage/store.ts';

export interface AppOptions extends Omit<HandlerDependencies, 'store' | 'runIdempotent'> {
  store: Store;
  /** How long a request waits for a concurrent one with the same Idempotency-Key, in milliseconds. */
  keyWaitMs?: number;
  /** The bundled contract. */
  document: { info: { title: string; version: string } };
  /** Authenticates callers (default: by the tokens in the store). */
  authenticate?: PipelineOptions<Caller>['authenticate'];
  limits: AuthLimits;
  /** The queue of requests, which is fair by company (default: `requestLimits`). */
  requestQueue?: FairQueue;
  allowedOrigins: readonly string[];
  /** Your own middleware, which runs for every API request before the pipeline. */
  middleware?: readonly RequestHandler[];
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies?: readonly string[];
  /** The folder of the built portal, if there is one. */
  portal?: string | undefined;
  /** Returns false as soon as the service shuts down. */
  isReady: () => boolean;
  /** Returns whether the service is shutting down (default: it never does). */
  isStopping?: () => boolean;
  onResponse: (record: RequestLogRecord<Caller>) => void;
  /** Called after each response of a public page: the index page, the contract or the portal. */
  onPage?: (record: PageRecord) => void;
  /** Called after each response to a probe. */
  onProbe?: (record: PageRecord) => void;
  /** Called for each request that was refused, because too many wait. */
  onShed?: () => void;
  onError: ErrorReporter;
  observe?: PipelineOptions<Caller>['observe'];
  /** Validates requests and responses (default: the compiled contract). */
  validation?: PipelineOptions<Caller>['validation'];
}

/**
 * Creates the service as an Express application; it does not listen. Every request passes through the same steps until
 * one responds: request ID, probes, CORS, queue, trace, public pages, your middleware, the contract's pipeline.
 */
export async function createApp(options: AppOptions): Promise<Express> {
  const { store, document, onPage = () => {}, onProbe = () => {}, isStopping = () => false } = options;
  const callerStore = createCallerStore(store, options.now);
  const dependencies: HandlerDependencies = {
    ...options,
    store: callerStore,
    runIdempotent: createIdempotency({ ...options, store: callerStore }),
  };
  const authenticate = options.authenticate ?? createAuthenticate({ ...options, costOf: requestCost });
  const requestQueue = options.requestQueue ?? createFairQueue(requestLimits);
  const bodyQueue = createFairQueue(bodyLimits);
  const tokenCompanies = createTokenCompanyCache();
  const callHandler = callHandlers<Caller, HandlerDependencies>(handlers, dependencies);
  /** The turns of requests whose bodies had not arrived when they were authenticated. */
  const slowBodies = new WeakMap<object, Turn>();
  const responder = {
    errors: errorFormat,
    mapError: (error: unknown) =>
      error instanceof StoreUnavailable
        ? errorResponse(isStopping() ? 'shuttingDown' : 'databaseUnavailable', {
            headers: { 'Retry-After': '1' },
          })
        : undefined,
    onResponse: options.onResponse,
    onError: options.onError,
    observe: options.observe,
    validation: options.validation,
  };
  const pipeline = createPipeline<Caller>({
    ...responder,
    contract,
    authenticate: async (credentials, request: IncomingMessage & { res?: Response }) => {
      const { authorization = '' } = credentials.headers;
      try {
        const admission = await authenticate(credentials, request);
        tokenCompanies.learn(authorization, admission.caller.companyId);
        const turn: Turn = request.res?.locals ?? {};
        const company = String(admission.caller.companyId);
        if (!request.complete) {
          slowBodies.set(request, turn);
          await takeTurn(bodyQueue, turn, company);
        } else if (turn.isOfNoCompany) await takeTurn(requestQueue, turn, company);
        return admission;
      } catch (error) {
        if (error instanceof ApiError && error.errorResponse.status === 401)
          tokenCompanies.forget(authorization);
        throw error;
      }
    },
    addressOf: clientAddress(options.trustedProxies ?? []),
    checks: requestRulesFor(options.addressPolicy),
    async respond(operation, input, request) {
      const turn = slowBodies.get(request);
      if (turn) await takeTurn(requestQueue, turn, String(input.caller?.companyId));
      return callHandler(operation, input, request);
    },
    entityTag,
  });
  /** Waits for a turn of a company. The request gives back the one that it has. */
  const takeTurn = (queue: FairQueue, turn: Turn, company: string): Promise<void> =>
    new Promise((resolve, reject) => {
      turn.end?.();
      turn.end = queue.enter(
        company,
        () => resolve(),
        () => {
          options.onShed?.();
          reject(new ApiError(overloaded));
        },
      );
    });
  const waitForTurn: RequestHandler = (req, res, next) => {
    const turn: Turn = res.locals;
    const company = tokenCompanies.of(req.headers.authorization) ?? noCompany;
    turn.isOfNoCompany = company === noCompany;
    res.once('close', () => turn.end?.());
    return takeTurn(requestQueue, turn, company).then(
      () => {
        if (isPage(req.url)) turn.end?.();
        next();
      },
      () => sendOverloaded(req, res),
    );
  };
  const { addHeaders, answerPreflight } = createCors((origin) => options.allowedOrigins.includes(origin));

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  const pages = express.Router();
  pages.use(serveContract({ document, hasPortal: options.portal !== undefined, onPage }));
  pages.use('/docs', logPageRequest('/docs', onPage), servePortal(options.portal));
  app.use(
    inSequence(
      setRequestId,
      createProbes({ isReady: options.isReady, store, onProbe }),
      addHeaders,
      waitForTurn,
      // After the queue, because a request may start in the context of another one.
      (req, _res, next) => continueTrace(req.headers.traceparent, next),
      answerPreflight,
      forPaths(isPage, pages),
      ...(options.middleware ?? []),
      // `next` is not passed, so that the pipeline also responds to paths that are not in the contract.
      (req, res) => {
        const turn: Turn = res.locals;
        return pipeline(req, res).finally(() => turn.end?.());
      },
    ),
  );
  app.use(createErrorHandler(responder));
  return app;
}

/**
 * The turn of a request in the queue, in `res.locals`. A WeakMap would keep each request alive until all of the heap is
 * collected, which costs a tenth of the time of a request.
 */
interface Turn {
  /** Ends the turn, before a slow client has read the response. */
  end?: () => void;
  /** Whether the token was not known when the request came, so that it has a turn of all such requests. */
  isOfNoCompany?: boolean;
}

/**
 * The limits of requests. While requests of several companies wait, they start in turn, and only a few in each turn of the
 * event loop. So a company does not delay others, regardless of how many requests it sends. One that is alone starts all of
 * its requests at once, because their transactions are then committed together.
 */
export const requestLimits: FairQueueOptions = {
  max: 128,
  // More than the default size of the connection pool, so that one company can use all connections.
  maxPerKey: 32,
  // Large limits, because a refused client tries again, which costs more time than a request that waits.
  maxWaitingPerKey: 2_048,
  waitMs: 2_000,
  maxStartsPerTurn: 4,
};

/** The limits of bodies that do not arrive with their headers. Until they have arrived, their requests need no turn. */
const bodyLimits: FairQueueOptions = { max: 256, maxPerKey: 32, maxWaitingPerKey: 256, waitMs: 2_000 };

/** Whether a path is that of a public page. Pages take turns to start, but any number of clients may read them. */
const isPage = (url: string): boolean => /^\/($|\?|docs|openapi\.)/.test(url);

/** The key of requests without a token that is known to be valid. They share the turns of one company. */
const noCompany = '';

const requestCosts: Partial<Record<OperationId, number>> = { searchContacts: 5 };

/** Returns how many requests a call of an operation counts as in the rate limit of its token (D33). */
export const requestCost = (operation: OperationId | undefined): number =>
  (operation && requestCosts[operation]) ?? 1;
