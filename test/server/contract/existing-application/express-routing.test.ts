import express from 'express';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sendUnchanged } from '../../../support/api-client.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { startListening } from '../../../support/start-listening.ts';
import {
  acceptingKey,
  contractFor,
  enforcing,
  isPublic,
  type Mount,
  mounts,
  operations,
  type Settings,
  sendNothing,
  sendStatus,
  start,
} from './routed-application.ts';

const running = new Map<string, ReturnType<typeof start>>();
function application(mount: Mount, base: string, settings: Settings) {
  const key = JSON.stringify([mount, base, settings]);
  const known = running.get(key) ?? start(mount, base, settings);
  running.set(key, known);
  return known;
}

const values = [
  '1',
  'search',
  'SEARCH',
  '%73earch',
  'a.b.c',
  '..',
  '.',
  'a%2Fb',
  'x;y=1',
  'books',
  'v1',
  '%00',
];

/** Other ways to write a path. */
const notations: readonly ((path: string, at: number) => string)[] = [
  (path) => path,
  (path) => path.toUpperCase(),
  (path, at) => path.slice(0, at) + (path[at] ?? '').toUpperCase() + path.slice(at + 1),
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replace(/\/(?=[^/]*$)/, '//'),
  (path) => path.replace(/\/(?=[^/]*$)/, '\\'),
  (path) => path.replace(/\/(?=[^/]*$)/, '%2f'),
  (path) => path.replace(/\/(?=[^/]*$)/, '/./'),
  (path) => `/x/..${path}`,
  (path, at) =>
    path.replaceAll(/[a-z]/g, (letter, index) =>
      index === at ? `%${letter.charCodeAt(0).toString(16)}` : letter,
    ),
  (path) => `${path};v=1`,
  (path) => `${path}#x`,
  (path) => `${path}\u00a0`,
  (path) => `${path}\\\u00a0`,
  (path) => path.toLowerCase(),
  (path) => `http://api.example.com${path}`,
  (path) => `http://api.example.com${path}/`,
  (path) => `${path}%20`,
];

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'QUERY', 'PROPFIND'];

const requests = fc.record({
  mount: fc.constantFrom(...mounts),
  base: fc.constantFrom('', '/v1', '/API/v1'),
  settings: fc.record({ caseSensitive: fc.boolean(), strict: fc.boolean() }),
  template: fc.constantFrom(...operations.map(([, path]) => path)),
  value: fc.array(fc.constantFrom(...values), { minLength: 3, maxLength: 3 }),
  notations: fc.array(fc.tuple(fc.constantFrom(...notations), fc.nat(20)), { maxLength: 2 }),
  method: fc.constantFrom(...methods),
  query: fc.constantFrom('', '?n=x', '?n=1', '?n=1#', '?n=1&more=1'),
  credentials: fc.constantFrom({}, { 'X-Key': 'k' }),
});

test('no route of Express runs unless its own operation was enforced, in any spelling, mount and router', async () => {
  await fc.assert(
    fc.asyncProperty(
      requests,
      async ({ mount, base, settings, template, value, method, query, ...given }) => {
        const app = await application(mount, base, settings);
        let next = 0;
        const filled = app.served + template.replaceAll(/\{\w+\}/g, () => value[next++] ?? '');
        const path = given.notations.reduce((text, [write, at]) => write(text, at), filled);
        app.ran.length = 0;
        await sendUnchanged(app.url, method, path + query, { headers: given.credentials });
        for (const { operation, enforced, query: seen } of app.ran) {
          if (operation.startsWith('any')) expect(enforced).toBeDefined();
          else if (!isPublic(operation.slice(4))) expect(enforced).toBe(operation);
          expect(seen).toEqual({ n: 1 });
        }
      },
    ),
    { numRuns: sampleCount(2_000), seed },
  );
});

// The tests of the guide on adoption have paths in other spellings, methods, and ignored paths.
const settings = { caseSensitive: false, strict: false };

test.each([
  ['DELETE', '/books/1/?n=1', 401],
  ['GET', 'http://api.example.com/Books?n=1', 401],
  ['GET', '/books#1', 401],
  ['GET', '/books\\1/x/y', 404],
  ['GET', '/books//', 404],
  ['GET', '*', 404],
  // Depending on the router's settings, these are one of two operations.
  ['GET', '/books/SEARCH?n=1', 404],
  ['DELETE', '/Books/1?n=1', 404],
] as const)('%s %s without credentials gets %i', async (method, target, status) => {
  const app = await start('root', '', settings);
  app.ran.length = 0;
  expect([(await sendUnchanged(app.url, method, target)).status, app.ran]).toEqual([status, []]);
});

test.each([
  ['fails', 500, () => expect.fail('No list of paths.')],
  ['is asynchronous', 401, (async () => false) as never],
])('an ignore that %s leaves no path unchecked', async (_what, status, ignore) => {
  const authenticate = acceptingKey('k');
  const app = express().use(enforcing(contractFor(''), { authenticate, ignore }), sendNothing, sendStatus);
  const response = await fetch(`${await startListening(app)}/books?n=1`);
  expect(response.status).toBe(status);
});

test('names the two operations, and the remedy, if the contract does not name the path of the mount', async () => {
  const get = { responses: { '204': { description: 'Yes.' } } };
  const [a, b] = ['a', 'b'].map((name) => ({ name, in: 'path', required: true, schema: {} }));
  const paths = { '/books': { get }, '/{a}/{b}': { get: { ...get, parameters: [a, b] } } };
  const serve = async (servers: object) => {
    const app = express().use('/api', enforcing({ paths, ...servers }));
    app.get('/api/books', sendNothing);
    const onError: express.ErrorRequestHandler = (error, _req, res, _next) =>
      void res.status(error.status).send(error.message);
    const response = await fetch(`${await startListening(app.use(onError))}/api/books`);
    return { status: response.status, text: await response.text() };
  };
  const rejected = await serve({});
  expect(rejected.status).toBe(404);
  for (const part of ['/books', '/{a}/{b}', 'mounted', 'servers: [{ url: /api }]'])
    expect(rejected.text).toContain(part);
  expect(await serve({ servers: [{ url: '/api' }] })).toEqual({ status: 204, text: '' });
});
