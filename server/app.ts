import { setTimeout as wait } from 'node:timers/promises';
import express, { type Express } from 'express';
import { aboutTheService } from './about.ts';
import { api, type Needs } from './api.ts';
import { checksFor } from './checks.ts';
import { entityTag } from './contract/entity-tag.ts';
import type { Caller } from './contract/handler.ts';
import { type Refusal, refusal } from './errors.ts';
import { createOnce } from './idempotency/once.ts';
import type { ContractDocument } from './pipeline/contract.ts';
import { allowOrigins } from './pipeline/cors.ts';
import type { GivenAnswer } from './pipeline/exchange.ts';
import type { ReportFault } from './pipeline/failure.ts';
import { type AnsweredRequest, createPipeline, type PipelineOptions } from './pipeline/pipeline.ts';
import { servePortal } from './portal.ts';
import { holdsCompanies } from './storage/companies.ts';
import { type Store, StoreUnavailable } from './storage/store.ts';
import { createAuthenticate, type Limits } from './tokens/authenticate.ts';

export interface AppOptions extends Omit<Needs, 'once'> {
  /** How long a request waits for another with its Idempotency-Key. */
  keyWaitMs?: number;
  /** The bundled contract. */
  document: ContractDocument;
  /** Who may call; the holders of the store's tokens unless something else is given. */
  authenticate?: PipelineOptions<Caller>['authenticate'];
  limits: Limits;
  allowedOrigins: readonly string[];
  /** Networks of proxies whose word on who calls is taken. */
  trustedProxies?: readonly string[];
  /** The folder of the portal, where it has been built. */
  portal?: string | undefined;
  /** False as soon as the service is stopping. */
  isReady: () => boolean;
  onAnswered: (record: AnsweredRequest<Caller>) => void;
  onFault: ReportFault;
  observe?: PipelineOptions<Caller>['observe'];
}

/** The whole service as an Express app; it never listens. */
export async function createApp(options: AppOptions): Promise<Express> {
  const { store, document, onAnswered, onFault } = options;
  const needs: Needs = { ...options, once: createOnce(options) };
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('trust proxy', [...(options.trustedProxies ?? [])]);
  app.use(allowOrigins((origin) => options.allowedOrigins.includes(origin)));
  app.use(aboutTheService({ ...options, databaseAnswers: () => databaseAnswers(store) }));
  if (options.portal !== undefined) app.use('/docs', servePortal(options.portal));
  app.use(
    await createPipeline<Caller>({
      document,
      authenticate: options.authenticate ?? createAuthenticate({ ...options, costOf }),
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
    }),
  );
  return app;
}

const handlers: Readonly<Record<string, (input: never, needs: Needs) => Promise<GivenAnswer | Refusal>>> =
  api;

/** How many requests one of an operation counts as (D33). */
export const costOf = (operation: string | undefined): number => (operation === 'searchContacts' ? 5 : 1);

// Whoever asks whether it is ready waits no longer himself.
const readyMs = 2_000;

/** False also where the database says nothing. */
async function databaseAnswers(store: Store): Promise<boolean> {
  const patience = new AbortController();
  const silence = wait(readyMs, false, { signal: patience.signal }).catch(() => false);
  const answer = store.read(holdsCompanies).then(
    () => true,
    () => false,
  );
  const answers = await Promise.race([answer, silence]);
  patience.abort();
  return answers;
}
