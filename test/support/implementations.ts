import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { loadContract } from '../../scripts/contract/load/load-contract.ts';
import { createMockServer } from '../../scripts/contract/mock-server/server.ts';
import { withDefaults } from '../../scripts/contract/read-config.ts';
import { loadMock } from '../../scripts/contract/survive/load-mock.ts';
import { compileDocument } from '../../scripts/package/compile-document.ts';
import { contract } from '../../scripts/runtime-package/express.ts';
import type { HandlerResponse } from '../../server/contract/exchange.ts';
import { objectOf } from '../../server/lib/json-object.ts';
import { writeDocument } from './documents.ts';
import { startListening } from './start-listening.ts';
import type { OnCleanup } from './temporary-folder.ts';

/** Returns the response to a request. @param received the validated `path`, `query`, `headers` and `body` */
export type Respond = (received: Record<string, unknown>) => HandlerResponse;

const noContent: Respond = () => ({ status: 204 });

/** Serves the contract in a file. @param before middleware in front @returns the URL of the server */
export type Serve = (
  api: string,
  onCleanup: OnCleanup,
  respond?: Respond,
  ...before: RequestHandler[]
) => Promise<string>;

export const serveTyped: Serve = async (api, onCleanup, respond = noContent) => {
  const compiled = await compileDocument(api);
  const handle = async (input: Record<string, unknown>) => respond(input);
  const handlers = Object.fromEntries(compiled.operations.map(({ id }) => [id, handle]));
  return startListening(express().use(contract(compiled, { handlers })), onCleanup);
};

export const serveRoutes: Serve = async (api, onCleanup, respond = noContent, ...before) => {
  const app = express();
  app.use([...before, contract(await compileDocument(api))]);
  app.use((req, res) => {
    const { path, headers } = objectOf(Reflect.get(req, 'contract'));
    const response = respond({ path, query: req.query, headers, body: req.body });
    const { status, headers: sent = {}, body } = response;
    for (const [name, value] of Object.entries(sent)) res.setHeader(name, String(value));
    res.status(status);
    if (body === undefined) res.end();
    else res.json(body);
  });
  const failed: ErrorRequestHandler = ({ status, message, errors }, _req, res, _next) =>
    void res.status(status ?? 500).json({ message, errors });
  return startListening(app.use(failed), onCleanup);
};

export const serveMock: Serve = async (api, onCleanup) =>
  startListening((await createMockServer({ config: withDefaults({}), api })).server, onCleanup);

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
 * @param respond what all but the mocks respond with
 */
export async function startImplementations(
  document: object,
  onCleanup: OnCleanup,
  respond?: Respond,
): Promise<Implementations> {
  const api = await writeDocument(document, onCleanup);
  const listen = async (serve: Serve, ...before: RequestHandler[]): Promise<Send> => {
    const base = await serve(api, onCleanup, respond, ...before);
    return (path, init) => fetch(base + path, init);
  };
  const pageMock = (await loadMock(await loadContract(api), withDefaults({}), api)).createMock({});
  return {
    'typed handlers': await listen(serveTyped),
    middleware: await listen(serveRoutes),
    'middleware after express.json': await listen(serveRoutes, express.json({ limit: '1mb' })),
    'mock server': await listen(serveMock),
    'mock inside pages': (path, init) => pageMock.fetch(new Request(`http://mock${path}`, init)),
  };
}
