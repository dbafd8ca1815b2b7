import type { RequestListener } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import express from 'express';
import { api, type Needs } from './api.ts';
import { createAuthenticate, type Limits } from './auth/authenticate.ts';
import { createCompaniesKnown } from './auth/token-company-cache.ts';
import { entityTag } from './contract/entity-tag.ts';
import { type Caller, paths } from './contract/handler.ts';
import { type Refusal, Refused, refusal } from './errors.ts';
import { clientAddress } from './http/client-address.ts';
import { serveContract } from './http/contract-pages.ts';
import { allowOrigins } from './http/cors.ts';
import { type Crowd, createCrowd } from './http/load-shedder.ts';
import { type PageRecord, reportPage } from './http/page-log.ts';
import { servePortal } from './http/portal.ts';
import { createProbes } from './http/probes.ts';
import { createOnce } from './idempotency/idempotency.ts';
import type { ReportFault } from './pipeline/error-response.ts';
import type { GivenAnswer } from './pipeline/exchange.ts';
import type { ContractDocument } from './pipeline/operation.ts';
import { turnAway } from './pipeline/overload-response.ts';
import { type AnsweredRequest, createPipeline, type PipelineOptions } from './pipeline/pipeline.ts';
import { checksFor } from './request-rules.ts';
import { holdsCompanies } from './storage/queries/companies.ts';
import { type Store, StoreUnavailable } from './storage/store.ts';

export interface AppOptions extends Omit<Needs, 'once'> {
  /** How long a request waits for another with its Idempotency-Key. */
  keyWaitMs?: number;
  /** The bundled contract. */
  document: ContractDocument;
  /** Who may call; the holders of the store's tokens unless something else is given. */
  authenticate?: PipelineOptions<Caller>['authenticate'];
  limits: Limits;
  /** What turns a part of the requests away where there are too many; one of the usual kind unless given. */
  crowd?: Crowd;
  allowedOrigins: readonly string[];
  /** Networks of proxies whose word on who calls is taken. */
  trustedProxies?: readonly string[];
  /** The folder of the portal, where it has been built. */
  portal?: string | undefined;
  /** False as soon as the service is stopping. */
  isReady: () => boolean;
  onAnswered: (record: AnsweredRequest<Caller>) => void;
  /** Called after each response of a public page: the contract or the portal. */
  onPage?: (record: PageRecord) => void;
  /** Called after each response to a probe. */
  onProbe?: (record: PageRecord) => void;
  /** Told of each request that was turned away because there were too many. */
  onTurnedAway?: () => void;
  onFault: ReportFault;
  observe?: PipelineOptions<Caller>['observe'];
}

/**
 * The whole service; it never listens. What the interface is asked goes straight to its pipeline: Express would cost such
 * a request as much again as all the checks of the contract. Around it Express serves what is no part of the interface.
 */
export async function createApp(options: AppOptions): Promise<RequestListener> {
  const { store, document, onAnswered, onFault, onPage = () => {}, onProbe = () => {} } = options;
  const needs: Needs = { ...options, once: createOnce(options) };
  const authenticate = options.authenticate ?? createAuthenticate({ ...options, costOf });
  const crowd = options.crowd ?? createCrowd();
  const companies = createCompaniesKnown();
  const pipeline = await createPipeline<Caller>({
    document,
    door: {
      begin: (caller) => crowd.begin(caller && String(caller.companyId)),
      end: (caller) => crowd.end(caller && String(caller.companyId)),
    },
    authenticate: async (credentials) => {
      const { authorization = '' } = credentials.headers;
      try {
        const admission = await authenticate(credentials);
        companies.learn(authorization, admission.caller.companyId);
        return admission;
      } catch (error) {
        if (error instanceof Refused && error.refusal.status === 401) companies.forget(authorization);
        throw error;
      }
    },
    addressOf: clientAddress(options.trustedProxies ?? []),
    checks: checksFor(options.addressPolicy),
    answer: (operation, input) => {
      // The check of the request has made the input what the handler's type says.
      const handler = handlers[operation.id];
      if (!handler) throw new Error(`${operation.id} has no handler.`);
      return handler(input as never, needs);
    },
    entityTag,
    explain: (error) =>
      error instanceof StoreUnavailable
        ? refusal('unavailable', { headers: { 'Retry-After': '1' } })
        : undefined,
    onAnswered,
    onFault,
    observe: options.observe,
  });
  const shed: RequestListener = (req, res) => {
    turnAway(req, res);
    options.onTurnedAway?.();
  };
  const answer: RequestListener = (req, res) => {
    if (crowd.letIn(companies.of(req.headers.authorization))) return pipeline(req, res);
    shed(req, res);
  };
  const around = express();
  around.disable('x-powered-by');
  around.disable('etag');
  around.use(allowOrigins((origin) => options.allowedOrigins.includes(origin)));
  around.use(serveContract({ document, onPage }));
  if (options.portal !== undefined)
    around.use('/docs', reportPage('/docs', onPage), servePortal(options.portal));
  const isOfInterface = beginsAsOneOf(paths);
  around.use((req, res) => (isOfInterface(req.url) ? answer : pipeline)(req, res));

  const probe = createProbes({ isReady: options.isReady, databaseState: () => stateOf(store), onProbe });
  return (req, res) => {
    if (isOfInterface(req.url ?? '')) return (req.headers.origin === undefined ? answer : around)(req, res);
    if (probe(req, res)) return;
    // Everything else is public, and shed like requests of unauthenticated clients.
    (crowd.letIn(undefined) ? around : shed)(req, res);
  };
}

/** Whether an address has the first segment of one of these paths. */
function beginsAsOneOf(paths: readonly string[]): (url: string) => boolean {
  const firsts = new Set(paths.map((path) => `/${path.split('/', 2)[1]}/`));
  return (url) => firsts.has(url.slice(0, url.indexOf('/', 1) + 1));
}

const handlers: Readonly<Record<string, (input: never, needs: Needs) => Promise<GivenAnswer | Refusal>>> =
  api;

/** How many requests one of an operation counts as (D33). */
export const costOf = (operation: string | undefined): number => (operation === 'searchContacts' ? 5 : 1);

// Whoever asks whether it is ready waits no longer himself.
const readyMs = 2_000;

/** Away also where the database says nothing. */
async function stateOf(store: Store): Promise<'ok' | 'away' | 'damaged'> {
  if (store.load().isDamaged) return 'damaged';
  const patience = new AbortController();
  const silence = wait(readyMs, false, { signal: patience.signal }).catch(() => false);
  const answer = store.read(holdsCompanies).then(
    () => true,
    () => false,
  );
  const answers = await Promise.race([answer, silence]);
  patience.abort();
  return answers ? 'ok' : 'away';
}
