import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { loadContract } from '../../scripts/contract/load/load-contract.ts';
import { createMockServer } from '../../scripts/contract/mock-server/server.ts';
import { withDefaults } from '../../scripts/contract/read-config.ts';
import { loadMock } from '../../scripts/contract/survive/load-mock.ts';
import { compileDocument } from '../../scripts/package/compile-document.ts';
import { contract } from '../../scripts/runtime-package/express.ts';
import type { HandlerResponse } from '../../server/contract/exchange.ts';
import { writeDocument } from './load-document.ts';
import { startListening } from './start-listening.ts';
import type { OnCleanup } from './temporary-folder.ts';

/** Sends a request to a path of the contract. */
export type Send = (path: string, init?: RequestInit) => Promise<Response>;

/** Everything that validates requests. */
export const implementationNames = [
  'typed handlers',
  'middleware',
  'middleware after express.json',
  'mock server',
  'mock inside pages',
] as const;

export type Implementations = Record<(typeof implementationNames)[number], Send>;

/**
 * Serves a contract with every implementation.
 * @param document an OpenAPI document, without servers
 * @param responseOf the response of an operation, in all but the mocks
 */
export async function startImplementations(
  document: object,
  responseOf: (operationId: string) => HandlerResponse,
  onCleanup: OnCleanup,
): Promise<Implementations> {
  const api = await writeDocument(document, onCleanup);
  const config = withDefaults({});
  const loaded = await loadContract(api);
  const { operations } = loaded;
  const shapes = operations.map(({ id, method, path }) => ({
    id,
    method,
    shape: new RegExp(`^${path.replaceAll(/\{[^}]*\}/g, '[^/]+')}$`),
  }));
  const routes: RequestHandler = (req, res) => {
    const operation = shapes.find(
      ({ method, shape }) => method.toUpperCase() === req.method && shape.test(req.path),
    );
    const { status, headers = {}, body } = responseOf(operation?.id ?? '');
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, String(value));
    res.status(status);
    if (body === undefined) res.end();
    else res.json(body);
  };
  const sendErrors: ErrorRequestHandler = (error, _req, res, _next) => {
    res.status(error.status ?? 500).json({ message: String(error.message) });
  };
  const listen = async (...middleware: (RequestHandler | ErrorRequestHandler)[]): Promise<Send> => {
    const base = await startListening(express().use(middleware), onCleanup);
    return (path, init) => fetch(base + path, init);
  };
  const handlers = Object.fromEntries(operations.map(({ id }) => [id, async () => responseOf(id)]));
  const mockServer = await startListening((await createMockServer({ config, api })).server, onCleanup);
  const pageMock = (await loadMock(loaded, config, api)).createMock({});
  const compiled = await compileDocument(api);
  const validate = contract(compiled);
  return {
    'typed handlers': await listen(contract(compiled, { handlers })),
    middleware: await listen(validate, routes, sendErrors),
    'middleware after express.json': await listen(
      express.json({ limit: '1mb' }),
      validate,
      routes,
      sendErrors,
    ),
    'mock server': (path, init) => fetch(mockServer + path, init),
    'mock inside pages': (path, init) => pageMock.fetch(new Request(`http://mock${path}`, init)),
  };
}
