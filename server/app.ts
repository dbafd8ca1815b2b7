import express, { type Express, type RequestHandler } from 'express';
import { stringify } from 'yaml';
import { api, type Needs } from './api.ts';
import { checks } from './checks.ts';
import type { Caller } from './contract/handler.ts';
import { type Refusal, refusal } from './errors.ts';
import type { ContractDocument } from './pipeline/contract.ts';
import { allowOrigins } from './pipeline/cors.ts';
import type { GivenAnswer } from './pipeline/exchange.ts';
import type { ReportFault } from './pipeline/failure.ts';
import { type AnsweredRequest, createPipeline } from './pipeline/pipeline.ts';
import { StoreUnavailable } from './storage/store.ts';
import { createAuthenticate } from './tokens/authenticate.ts';
import type { Policy } from './tokens/limits.ts';

export interface AppOptions extends Needs {
  /** The bundled contract. */
  document: ContractDocument;
  tokenLimit: Policy;
  failureLimit: Policy;
  allowedOrigins: readonly string[];
  /** False as soon as the service is stopping. */
  isReady: () => boolean;
  onAnswered: (record: AnsweredRequest<Caller>) => void;
  onFault: ReportFault;
}

/** The whole service as an Express app; it never listens. */
export async function createApp(options: AppOptions): Promise<Express> {
  const { store, now, document, onAnswered, onFault } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(allowOrigins((origin) => options.allowedOrigins.includes(origin)));
  app.use(aboutTheService(options));
  app.use(
    await createPipeline<Caller>({
      document,
      authenticate: createAuthenticate(options),
      checks,
      answer: (operation, input) => {
        // The check of the request has made the input what the handler's type says.
        const handler = handlers[operation.id];
        if (!handler) throw new Error(`${operation.id} has no handler.`);
        return handler(input as never, { store, now });
      },
      explain: (error) =>
        error instanceof StoreUnavailable
          ? refusal('unavailable', { headers: { 'Retry-After': '1' } })
          : undefined,
      onAnswered,
      onFault,
    }),
  );
  return app;
}

const handlers: Readonly<Record<string, (input: never, needs: Needs) => Promise<GivenAnswer | Refusal>>> =
  api;

/** Whether it lives, whether it can work, and its contract: outside the interface, without a token. */
function aboutTheService({ store, document, isReady }: AppOptions): RequestHandler {
  const json = JSON.stringify(document, null, 2);
  let yaml: string | undefined;
  const router = express.Router();
  router.get('/healthz', (_req, res) => {
    res.json({ status: 'ok' });
  });
  router.get('/readyz', async (_req, res) => {
    const answers = await store
      .read((db) => db.selectFrom('companies').select('id').limit(1).execute())
      .then(
        () => true,
        () => false,
      );
    const ready = isReady() && answers;
    res
      .status(ready ? 200 : 503)
      .json({ status: ready ? 'ready' : 'not ready', database: answers ? 'ok' : 'away' });
  });
  router.get('/openapi.json', (_req, res) => {
    res.type('application/json').send(json);
  });
  router.get('/openapi.yaml', (_req, res) => {
    yaml ??= stringify(document, { aliasDuplicateObjects: false });
    res.type('application/yaml').send(yaml);
  });
  return router;
}
