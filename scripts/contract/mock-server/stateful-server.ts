import type { Server } from 'node:http';
import type { Request, Response } from 'express';
import type { ContractConfig, StatefulServiceOptions } from '../config.ts';
import { loadContract } from '../load/load-contract.ts';
import { mockAuthenticate } from '../mock/authenticate.ts';
import { createMockHandler } from './mock-handler.ts';
import { createMockApp, type MockServerOptions, parseControl, rejectControl } from './server.ts';

export interface StatefulMockOptions
  extends Pick<MockServerOptions, 'onResponse' | 'onError' | 'onControl' | 'controls' | 'callers'>,
    Pick<StatefulServiceOptions, 'data' | 'webhooksTo' | 'onDelivery'> {
  /** Returns milliseconds since 1970. */
  now?: () => number;
  /** Number of generated contacts, in addition to the demo data. */
  contacts?: number;
  /** Number of generated conversations, in addition to the demo data. */
  conversations?: number;
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
  const { controls, callers, onControl, ...given } = options;
  const settings = {
    authenticateWith: mockAuthenticate,
    onResponse: () => {},
    onError: () => {},
    now: Date.now,
    contacts: 0,
    conversations: 0,
    ...given,
  };
  const { startStatefulService, createServer, api } = config;
  if (!startStatefulService) throw new Error('The configuration has no startStatefulService.');
  const start = () => startStatefulService(settings);
  let service = await start();
  const contract = await loadContract(api, config);
  const handle = createMockHandler(contract, { config, ...options, ...settings }, (req, res) =>
    service.listener(req, res),
  );

  const scenarios = controls?.scenarios;
  const app = createMockApp(() => contract, { config, callers, scenarios, onControl });
  let resetting = Promise.resolve();
  const reset = async () => {
    const old = service;
    service = await start();
    controls?.scenarios?.reset();
    await old.close();
  };
  app.post('/_mock/reset', async (_req, res) => {
    // One after the other, so that every service is closed.
    const own = resetting.then(reset);
    resetting = own.catch(() => {});
    await own;
    res.status(204).end();
  });
  for (const [name, control] of Object.entries(service.controls ?? {}))
    app.post(`/_mock/${name}`, parseControl, async (req: Request, res: Response) => {
      // After a reset, the control of the new service.
      const { status, body } = await (service.controls?.[name] ?? control)(req.body);
      res.status(status).json(body);
    });
  app.use('/_mock', rejectControl(['reset', 'scenario', ...Object.keys(service.controls ?? {})]));
  app.use((req, res) => handle(req, res));
  return { server: createServer(app), close: () => service.close() };
}
