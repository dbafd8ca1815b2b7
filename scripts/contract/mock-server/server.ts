import type { Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import { createCors } from '../../../server/lib/cors.ts';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { type AllowedCallers, allowLocalCallers, isAllowedOrigin } from '../../lib/local-server.ts';
import type { StatefulService, StatefulServiceOptions } from '../config.ts';
import { loadContract } from '../load/load-contract.ts';
import { mockAuthenticate } from '../mock/authenticate.ts';
import type { ScenarioState } from '../mock/scenarios/scenario-state.ts';
import type { Contract } from '../model/contract.ts';
import { createMockHandler, type MockHandlerOptions } from './mock-handler.ts';

export interface MockServerOptions extends ControlOptions {
  /** Callers besides those of this machine (default: none). */
  callers?: AllowedCallers;
  /**
   * Settings of the service in memory that responds (default: none does). Created resources exist until the mock ends, or until
   * `POST /_mock/reset`. A request that prefers a documented response (`Prefer: code=503`) gets an example instead.
   */
  stateful?: MemoryServiceOptions;
}

/** A mock that does not listen yet. */
export interface MockServer {
  server: Server;
  /** The contract as first read. `reload` does not update it. */
  contract: Contract;
  /**
   * Reads the contract again.
   * @returns whether the contract has changed
   * @throws Error if the contract cannot be read or compiled; the mock then keeps the old contract
   */
  reload: () => Promise<boolean>;
  /** Ends the service in memory, if there is one. */
  close: () => Promise<void>;
}

/**
 * Creates a server that responds with a contract's examples, with generated bodies, or as the service itself.
 * @throws Error if the contract cannot be read or compiled, or the service cannot start
 */
export async function createMockServer(options: MockServerOptions): Promise<MockServer> {
  const { config, api = config.api, callers, stateful } = options;
  const initial = await loadContract(api, config);
  const service = stateful && (await startMemoryService(options, stateful));
  let contract = initial;
  let handle = createMockHandler(contract, options, service?.listener);
  const app = express();
  app.disable('x-powered-by');
  // The mock in a page sends none either, and the service only those that the contract documents.
  app.disable('etag');
  const { addHeaders, answerPreflight } = createCors((origin) => isAllowedOrigin(origin, callers));
  app.use(allowLocalCallers(callers), addHeaders, answerPreflight);
  app.get('/openapi.json', (_req, res) => res.json(contract.document));
  addControls(app, options, service);
  app.use((req, res) => handle(req, res));
  const reload = async () => {
    const read = await loadContract(api, config);
    if (isDeepStrictEqual(read.document, contract.document)) return false;
    handle = createMockHandler(read, options, service?.listener);
    contract = read;
    return true;
  };
  return { server: config.createServer(app), contract: initial, reload, close: async () => service?.close() };
}

interface ControlOptions extends MockHandlerOptions {
  /** Called after each control request, such as `POST /_mock/reset`. */
  onControl?: (status: number, request: string) => void;
}

/**
 * Adds the control requests of a mock: `POST /_mock/scenario` starts a scenario, `{"scenario": "slow"}`, or ends the current one,
 * `{"scenario": null}`.
 * @param service the service in memory, with control requests of its own
 */
function addControls(
  app: Express,
  { config, controls: { scenarios } = {}, onControl }: ControlOptions,
  service: StatefulService | undefined,
): void {
  const controls: StatefulService['controls'] = {
    scenario: async (body) => startScenario(scenarios, body),
    ...service?.controls,
  };
  app.use('/_mock', ({ method, originalUrl }, res, next) => {
    res.on('finish', () => onControl?.(res.statusCode, `${method} ${originalUrl}`));
    next();
  });
  for (const [name, control] of Object.entries(controls)) {
    const respond: RequestHandler = async (req, res) => {
      const { status, body } = await control(req.body);
      res.status(status).json(body);
    };
    app.post(`/_mock/${name}`, express.json({ strict: false }), sayInvalid, respond);
  }
  const names = Object.keys(controls).map((name) => `POST /_mock/${name}`);
  const others = config.startStatefulService && !service ? ' Others need --stateful.' : '';
  const message = `There is no such control request. This mock has: ${names.join(', ')}.${others}`;
  app.use('/_mock', (_req, res) => void res.status(404).json({ message }));
}

const sayInvalid: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(422).json({ message: `Send JSON with Content-Type: application/json. ${errorMessage(error)}` });
};

function startScenario(scenarios: ScenarioState | undefined, body: unknown) {
  const { scenario }: { scenario?: unknown } = Object(body);
  try {
    if (scenario !== null && typeof scenario !== 'string')
      throw new Error('Send JSON such as {"scenario": "slow"}, or {"scenario": null} to end it.');
    if (!scenarios) throw new Error('The mock has no scenarios. Start it with --scenarios FILE.');
    scenarios.start(scenario === null ? undefined : { name: scenario });
    return { status: 204, body: undefined };
  } catch (error) {
    return { status: 422, body: { message: errorMessage(error) } };
  }
}

/** The data, clock and events of a service in memory (default: the demo data, the clock of this machine, no events). */
type MemoryServiceOptions = Partial<
  Omit<StatefulServiceOptions, 'authenticateWith' | 'onResponse' | 'onError'>
>;

/**
 * Starts the service in memory, as the configuration says. Its control request `reset` replaces it with a new one.
 * @throws Error if the configuration has no `startStatefulService`; the errors of that function
 */
async function startMemoryService(
  { config, controls, onResponse = () => {}, onError = () => {} }: MockHandlerOptions,
  given: MemoryServiceOptions,
): Promise<Required<StatefulService>> {
  const { startStatefulService } = config;
  if (!startStatefulService) throw new Error('The configuration has no startStatefulService.');
  const start = () =>
    startStatefulService({
      ...{ authenticateWith: mockAuthenticate, onResponse, onError },
      ...{ now: Date.now, ...given },
    });
  let service = await start();
  let resetting = Promise.resolve();
  const replace = async () => {
    const old = service;
    service = await start();
    controls?.scenarios?.reset();
    await old.close();
  };
  // After a reset, the control of the new service.
  const others = Object.entries(service.controls ?? {}).map(([name, control]) => [
    name,
    (body: unknown) => (service.controls?.[name] ?? control)(body),
  ]);
  return {
    listener: (req, res) => service.listener(req, res),
    controls: {
      async reset() {
        // One after the other, so that every service is closed.
        const own = resetting.then(replace);
        resetting = own.catch(() => {});
        await own;
        return { status: 204, body: undefined };
      },
      ...Object.fromEntries(others),
    },
    close: () => service.close(),
  };
}
