import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { compileContract } from '../../../../scripts/contract/compile/compile-contract.ts';
import { documentedErrors } from '../../../../server/contract/documented-errors.ts';
import { PipelineError } from '../../../../server/contract/errors.ts';
import { type RouteMiddleware, validateRoutes } from '../../../../server/http/express/validate-routes.ts';
import { documentOf, integer, responses, string } from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';

/** Each operation requires the query parameter `n`, an integer. Those below `/open` are public. */
export const operations = [
  ['GET', '/books'],
  ['POST', '/books'],
  ['GET', '/books/search'],
  ['GET', '/books/{id}'],
  ['DELETE', '/books/{id}'],
  ['GET', '/books/{id}/Pages/{page}'],
  ['GET', '/files/{name}.{kind}'],
  ['GET', '/files/{name}'],
  ['GET', '/caf%C3%A9'],
  ['GET', '/'],
  ['GET', '/open/{id}'],
  ['GET', '/{tenant}/{thing}'],
] as const;

const idOf = (method: string, path: string) => `${method} ${path}`;
export const isPublic = (path: string) => path.startsWith('/open');

/** Returns the contract of the operations. @param base the path of its server */
export function contractFor(base: string) {
  const paths: Record<string, Record<string, object>> = {};
  for (const [method, path] of operations) {
    const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
    const item = paths[path] ?? {};
    paths[path] = item;
    item[method.toLowerCase()] = {
      operationId: idOf(method, path),
      security: isPublic(path) ? [] : [{ key: [] }],
      parameters: [
        { name: 'n', in: 'query', required: true, schema: integer },
        ...names.map((name) => ({ name, in: 'path', required: true, schema: string })),
      ],
      responses: responses({}, 200),
    };
  }
  return {
    ...documentOf(paths, base === '' ? {} : { servers: [{ url: `https://api.example.com${base}` }] }),
    components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  };
}

interface Ran {
  operation: string;
  /** The operation for which the middleware authenticated and validated the request. */
  enforced: unknown;
  query: unknown;
}

export type Settings = { caseSensitive: boolean; strict: boolean };
export type Mount = (typeof mounts)[number];

/** Where the middleware and the routes are in the application. */
export const mounts = [
  'root',
  'below',
  'before',
  'deep',
  'twice',
  'stripped',
  'proxied',
  'rewritten',
] as const;

type RouteMiddlewareOptions = Parameters<typeof validateRoutes>[0];

/** Creates middleware in front of routes. By default, every request is authenticated. */
export function enforcing(
  document: object,
  options: Partial<Omit<RouteMiddlewareOptions, 'contract'>> = {},
): RequestHandler & Pick<RouteMiddleware, 'invalidResponses'> {
  const middleware = validateRoutes({
    contract: compileContract(documentOf({}, document)),
    errors: documentedErrors,
    authenticate: async () => ({ caller: undefined, scopes: new Set<string>(), headers: {} }),
    ...options,
  });
  const handler: RequestHandler = (req, res, next) => void middleware(req, res, next);
  return Object.assign(handler, { invalidResponses: middleware.invalidResponses });
}

/** Accepts requests whose `X-Key` is this one. */
export const acceptingKey =
  (key: string): NonNullable<RouteMiddlewareOptions['authenticate']> =>
  async ({ headers }) => {
    if (headers['x-key'] !== key) throw new PipelineError('tokenMissing');
    return { caller: key, scopes: new Set<string>(), headers: {} };
  };

/** Starts an application whose routes are those of the contract. `ran` gets each route that has run. */
export async function start(mount: Mount, base: string, settings: Settings) {
  const ran: Ran[] = [];
  const enforce = enforcing(contractFor(base), {
    authenticate: async ({ headers, operation }) => {
      if (headers['x-key'] !== 'k') throw new PipelineError('tokenMissing');
      return { caller: operation, scopes: new Set<string>(), headers: {} };
    },
  });
  const routes = express.Router(settings);
  const run =
    (operation: string): RequestHandler =>
    (req, res) => {
      const enforced = Reflect.get(req, 'contract')?.caller;
      ran.push({ operation, enforced, query: req.query });
      res.json({});
    };
  for (const [method, path] of operations) {
    // If nothing of the server's path is left, the middleware leaves these to the pages of the application.
    if ((mount === 'proxied' || mount === 'stripped') && base !== '' && /^\/(\{|$)/.test(path)) continue;
    const pattern = path.replaceAll(/\{(\w+)\}/g, ':$1');
    routes[method.toLowerCase() as 'get'](pattern, run(idOf(method, path)));
  }
  // Routes that serve more than the contract documents.
  routes.all('/books', run('any method'));
  routes.use('/books', run('any path below'));
  const app = express();
  app.set('case sensitive routing', settings.caseSensitive);
  app.set('strict routing', settings.strict);
  const prefix: RequestHandler = (req, _res, next) => {
    if (mount === 'stripped' && req.url.startsWith(base)) req.url = req.url.slice(base.length) || '/';
    if (mount === 'rewritten') req.url = req.url.replace(/^\/old/, base);
    next();
  };
  app.use(prefix);
  if (mount === 'below') app.use(base || '/', enforce, routes);
  else if (mount === 'before') app.use(base || '/', enforce).use(base || '/', routes);
  else if (mount === 'deep') {
    const inner = express.Router(settings).use(base || '/', enforce, routes);
    app.use('/a', express.Router(settings).use('/b', inner));
  } else if (mount === 'twice') {
    const other = enforcing({ servers: [{ url: '/other' }], paths: {} });
    app.use(other, enforce, express.Router(settings).use(base, routes));
  } else if (mount === 'stripped' || mount === 'proxied') app.use(enforce, routes);
  else app.use(enforce, express.Router(settings).use(base || '/', routes));
  const served = mount === 'deep' ? `/a/b${base}` : mount === 'proxied' ? '' : base;
  const url = await startListening(app.use(sendStatus));
  return { ran, served: mount === 'rewritten' ? '/old' : served, url };
}

/** Responds with the status of an error. */
export const sendStatus: ErrorRequestHandler = (error, _req, res, _next) =>
  void res.status(error?.status ?? 500).end();

/** Responds to every request. */
export const sendNothing: RequestHandler = (_req, res) => void res.status(204).end();
