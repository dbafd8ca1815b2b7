import type { Server } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import express from 'express';
import { createCors } from '../../../server/lib/cors.ts';
import { type AllowedCallers, allowLocalCallers, isAllowedOrigin } from '../../lib/local-callers.ts';
import { loadContract } from '../load/load-contract.ts';
import type { Contract } from '../model/contract.ts';
import { addControls, type ControlOptions } from './add-controls.ts';
import { type MemoryServiceOptions, startMemoryService } from './memory-service.ts';
import { createMockHandler } from './mock-handler.ts';

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
