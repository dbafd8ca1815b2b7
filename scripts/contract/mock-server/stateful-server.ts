import type { Server } from 'node:http';
import express, { type Request, type Response } from 'express';
import { createCors } from '../../../server/lib/cors.ts';
import { allowLocalCallers, isAllowedOrigin } from '../../lib/local-callers.ts';
import type { ContractConfig, StatefulServiceOptions } from '../config.ts';
import { loadContract } from '../load/load-contract.ts';
import { mockAuthenticate } from '../mock/authenticate.ts';
import { selectsResponse } from '../mock/prefer.ts';
import { controlRequests } from './control-requests.ts';
import { scenarioRoute } from './scenario-route.ts';
import { createExampleHandler, type MockServerOptions } from './server.ts';

export interface StatefulMockOptions
  extends Pick<MockServerOptions, 'onResponse' | 'onError' | 'controls' | 'callers'>,
    Pick<StatefulServiceOptions, 'data' | 'webhooksTo'> {
  /** Returns milliseconds since 1970. */
  now?: () => number;
  /** Number of generated contacts, in addition to the demo data. */
  contacts?: number;
}

/**
 * Creates a mock that is the service itself, on an in-memory database. Created resources exist until the mock ends, or until
 * `POST /_mock/reset`. A request that prefers a documented response (`Prefer: code=503`) gets an example instead.
 * @param config the project's settings, which must include `startStatefulService`
 * @returns the server, which does not listen yet, and a function that closes the service
 */
export async function createStatefulMock(
  config: ContractConfig,
  options: StatefulMockOptions = {},
): Promise<{ server: Server; close: () => Promise<void> }> {
  const { onResponse = () => {}, onError = () => {}, controls = {}, now = Date.now, contacts = 0 } = options;
  const { data, webhooksTo } = options;
  const { startStatefulService, createServer, api } = config;
  if (!startStatefulService) throw new Error('The configuration has no startStatefulService.');
  const start = () =>
    startStatefulService({
      ...{ authenticateWith: mockAuthenticate, onResponse, onError, now, contacts, data, webhooksTo },
    });
  let service = await start();
  const contract = await loadContract(api, config);
  // Created on first use, because compiling the contract a second time would delay the start.
  let examples: ReturnType<typeof createExampleHandler> | undefined;
  const respondWithExample = async (req: Request, res: Response) => {
    examples ??= createExampleHandler(contract, { config, onResponse, onError });
    await examples(req, res);
  };

  const app = express();
  app.disable('x-powered-by');
  const { addHeaders, answerPreflight } = createCors((origin) => isAllowedOrigin(origin, options.callers));
  app.use(allowLocalCallers(options.callers), addHeaders, answerPreflight);
  app.post('/_mock/reset', async (_req, res) => {
    const old = service;
    service = await start();
    controls.scenarios?.reset();
    await old.close();
    res.status(204).end();
  });
  app.post('/_mock/scenario', scenarioRoute(controls.scenarios));
  app.post('/_mock/messages', express.json(), async (req, res) => {
    const received = await service.receiveMessage?.(req.body);
    res
      .status(received?.status ?? 404)
      .json(received?.body ?? { message: 'This service receives no messages.' });
  });
  app.use(controlRequests(contract, controls));
  app.use((req, res) =>
    selectsResponse(String(req.headers.prefer ?? ''))
      ? respondWithExample(req, res)
      : service.listener(req, res),
  );
  return { server: createServer(app), close: () => service.close() };
}
