import type { Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import express, { type ErrorRequestHandler, type Express, type Request, type Response } from 'express';
import { stringify } from 'yaml';
import { createCors } from '../../../server/lib/cors.ts';
import { errorMessage } from '../../../server/lib/error-message.ts';
import { type AllowedCallers, allowLocalCallers, isAllowedOrigin } from '../../lib/local-callers.ts';
import { isOwnContract } from '../config.ts';
import { loadContract } from '../load/load-contract.ts';
import type { ScenarioState } from '../mock/scenarios/scenario-state.ts';
import type { Contract } from '../model/contract.ts';
import { describeMock, hasRoot } from './describe-mock.ts';
import { createMockHandler, type MockHandlerOptions } from './mock-handler.ts';

export interface MockServerOptions extends MockHandlerOptions {
  /** Callers besides those of this machine (default: none). */
  callers?: AllowedCallers;
  /** Called after each control request, such as `POST /_mock/reset`. */
  onControl?: (status: number, request: string) => void;
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
}

/**
 * Creates a server that responds with a contract's examples, or with generated bodies.
 * @throws Error if the contract cannot be read or compiled
 */
export async function createMockServer(options: MockServerOptions): Promise<MockServer> {
  const { config, api = config.api, controls, callers, onControl } = options;
  const initial = await loadContract(api, config);
  let contract = initial;
  let handle = createMockHandler(contract, options);
  const scenarios = controls?.scenarios;
  const app = createMockApp(() => contract, { config, api, callers, scenarios, onControl });
  app.get('/openapi.json', (_req, res) => res.json(contract.document));
  app.get('/openapi.yaml', (_req, res) =>
    res.type('application/yaml').send(stringify(contract.document, { aliasDuplicateObjects: false })),
  );
  app.use('/_mock', rejectControl(['scenario'], config.startStatefulService && 'Others need --stateful.'));
  app.use((req, res) => handle(req, res));
  const reload = async () => {
    const read = await loadContract(api, config);
    if (isDeepStrictEqual(read.document, contract.document)) return false;
    handle = createMockHandler(read, options);
    contract = read;
    return true;
  };
  return { server: config.createServer(app), contract: initial, reload };
}

const sayInvalid: ErrorRequestHandler = (error, _req, res, _next) => {
  res.status(422).json({ message: `Send JSON with Content-Type: application/json. ${errorMessage(error)}` });
};

/** Parses the body of a control request. */
export const parseControl = [express.json({ strict: false }), sayInvalid];

/** Returns the response to control requests that do not exist. @param names those that do @param note how to get others */
export const rejectControl =
  (names: readonly string[], note = '') =>
  (_req: Request, res: Response): void => {
    const list = names.map((name) => `POST /_mock/${name}`).join(', ');
    res
      .status(404)
      .json({ message: `There is no such control request. This mock has: ${list}. ${note}`.trim() });
  };

/**
 * Returns the first steps of every mock server: callers, CORS, a text about the mock at `/` if the contract has no such path, and
 * `POST /_mock/scenario`, which starts a scenario: `{"scenario": "slow"}`. `null` ends the current one.
 * @param contract returns the contract that is served now
 */
export function createMockApp(
  contract: () => Contract,
  {
    config,
    api = config.api,
    callers,
    scenarios,
    onControl,
  }: Pick<MockServerOptions, 'config' | 'api'> & {
    callers: AllowedCallers | undefined;
    scenarios: ScenarioState | undefined;
    onControl: MockServerOptions['onControl'];
  },
): Express {
  const app = express();
  app.disable('x-powered-by');
  // The mock in a page sends none either, and the service only those that the contract documents.
  app.disable('etag');
  const { addHeaders, answerPreflight } = createCors((origin) => isAllowedOrigin(origin, callers));
  app.use(allowLocalCallers(callers), addHeaders, answerPreflight);
  app.get('/', (req, res, next) => {
    if (hasRoot(contract())) return next();
    const isScoped = config.mockTokens === 'scoped' && isOwnContract(config, api);
    res.type('text').send(describeMock(contract(), `${req.protocol}://${req.get('host')}`, isScoped));
  });
  app.use('/_mock', ({ method, originalUrl }, res, next) => {
    res.on('finish', () => onControl?.(res.statusCode, `${method} ${originalUrl}`));
    next();
  });
  app.post('/_mock/scenario', parseControl, (req: Request, res: Response) => {
    const { scenario }: { scenario?: unknown } = req.body ?? {};
    try {
      if (scenario !== null && typeof scenario !== 'string')
        throw new Error('Send JSON such as {"scenario": "slow"}, or {"scenario": null} to end it.');
      if (!scenarios) throw new Error('The mock has no scenarios. Start it with --scenarios FILE.');
      scenarios.start(scenario === null ? undefined : { name: scenario });
      res.status(204).end();
    } catch (error) {
      res.status(422).json({ message: errorMessage(error) });
    }
  });
  return app;
}
