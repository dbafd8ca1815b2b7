import cors from 'cors';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { expect, test, vi } from 'vitest';
import type { InvalidResponse } from '../../../../server/http/express/validate-routes.ts';
import {
  array,
  content,
  documentOf,
  integer,
  object,
  responses,
  string,
} from '../../../support/documents.ts';
import { startListening } from '../../../support/start-listening.ts';
import { enforcing } from './routed-application.ts';

const errors = responses(object({ message: string }, 'message'), 400, 500);
const list = (operationId: string) => ({
  operationId,
  responses: { ...responses(array({ type: 'object' }), 200), ...errors },
});

const shopContract = documentOf({
  '/items': {
    get: {
      ...list('getItems'),
      parameters: [{ name: 'limit', in: 'query', schema: { ...integer, minimum: 1, default: 10 } }],
    },
  },
  '/items/{id}': {
    delete: {
      parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
      responses: { '204': { description: 'Gone.' }, ...errors },
    },
  },
  '/orders': {
    get: list('getOrders'),
    post: {
      requestBody: { required: true, ...content({ type: 'object' }) },
      responses: { ...responses({}, 200), ...errors },
    },
  },
});

/**
 * Serves an application whose error handler reads `status` and `errors`.
 * @param change changes response bodies, for example so that they violate the contract
 */
function serve(validate: RequestHandler | RequestHandler[], change?: (given: unknown) => unknown) {
  const send =
    (body: unknown): RequestHandler =>
    (_req, res) =>
      void res.json(change ? change(body) : body);
  const app = express().use(express.json(), validate);
  app.get('/items', send([{ id: 1 }]));
  app.delete('/items/:id', (_req, res) => void res.status(change ? 202 : 204).end());
  app.get('/orders', send([]));
  const onError: ErrorRequestHandler = (error, _req, res, _next) =>
    void res.status(error.status ?? 500).json({ message: error.message, errors: error.errors });
  return startListening(app.use(onError));
}

const ours = (options: Parameters<typeof enforcing>[1] = {}) => enforcing(shopContract, options);

const send = async (base: string, target: string, method = 'GET', body?: unknown) => {
  const response = await fetch(base + target, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
  };
};

test('keeps the headers from before it when it discards a response, and drops those of the route', async () => {
  const secured: RequestHandler = (_req, res, next) => {
    res.set({ 'X-Frame-Options': 'DENY', 'Referrer-Policy': 'no-referrer', 'Cache-Control': 'no-cache' });
    res.append('Set-Cookie', ['a=1', 'b=2']);
    next();
  };
  const route: RequestHandler = (_req, res, next) => {
    res.set({ 'X-Route': '1', 'Cache-Control': 'public' }).removeHeader('Referrer-Policy');
    res.appendHeader('Set-Cookie', 'session=s');
    next();
  };
  const front = cors({ origin: 'https://app.example', credentials: true });
  const { headers, status } = await fetch(
    `${await serve([front, secured, ours(), route], () => null)}/items`,
  );
  expect(status).toBe(500);
  expect(headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect(Object.fromEntries(headers)).toMatchObject({
    'access-control-allow-origin': 'https://app.example',
    'access-control-allow-credentials': 'true',
    vary: 'Origin',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
  });
  expect(headers.has('x-route')).toBe(false);
});

test('calls a function with an invalid response, and sends it unchanged', async () => {
  const invalid: InvalidResponse[] = [];
  const base = await serve(ours({ onInvalidResponse: (each) => invalid.push(each) }), () => ({ a: 1 }));
  expect(await send(base, '/items')).toEqual({ status: 200, body: { a: 1 } });
  expect(invalid).toEqual([{ operation: 'getItems', status: 200, message: expect.stringMatching(/\S/) }]);
});

test('passes the error of a function that is called with an invalid response to the error handler', async () => {
  const base = await serve(
    ours({
      onInvalidResponse: () => {
        throw Object.assign(new Error('No disk.'), { status: 400 });
      },
    }),
    () => ({ a: 1 }),
  );
  expect((await send(base, '/items')).status).not.toBe(200);
});

test('counts invalid responses by violation, and sends them unchanged', async () => {
  const middleware = ours({ onInvalidResponse: 'count' });
  const base = await serve(middleware, () => null);
  await send(base, '/items');
  expect(await send(base, '/items')).toEqual({ status: 200, body: null });
  await send(base, '/orders');
  expect([...middleware.invalidResponses]).toEqual([
    [expect.stringMatching(/^getItems 200: \S/), 2],
    [expect.stringMatching(/^getOrders 200: \S/), 1],
  ]);
});

test.each([
  ['log', { status: 200, body: { secret: 'hidden' } }],
  ['fail', { status: 500, body: expect.anything() }],
] as const)('logs an invalid response without its values: %s', async (onInvalidResponse, expected) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const base = await serve(ours({ onInvalidResponse }), () => ({ secret: 'hidden' }));
  const response = await send(base, '/items');
  const lines = written.mock.calls.map(([line]) => String(line));
  written.mockRestore();
  expect(response).toEqual(expected);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({ msg: 'invalid response', operation: 'getItems', status: 200 }),
  ]);
  expect(lines.join()).not.toContain('hidden');
});

test.each([
  ['log', 404, {}],
  ['fail', 500, { withheld: expect.stringContaining('Cannot POST /orders') }],
] as const)('logs one line if no route answers: %s', async (onInvalidResponse, status, more) => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const response = await send(await serve(ours({ onInvalidResponse })), '/orders', 'POST', {});
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
  written.mockRestore();
  expect(response.status).toBe(status);
  const line = { msg: 'invalid response', operation: expect.any(String), status: 404 };
  expect(lines).toEqual([{ ...line, message: 'no route has answered', ...more }]);
});

test('logs one line if the error handler itself sends an undocumented status', async () => {
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const app = express().use(ours());
  const teapot: ErrorRequestHandler = (_error, _req, res, _next) => void res.status(418).json({ no: 'tea' });
  app.get('/items', (_req, _res, next) => next(new Error('No.')));
  const response = await send(await startListening(app.use(teapot)), '/items');
  const lines = written.mock.calls.map(([line]) => JSON.parse(String(line)));
  written.mockRestore();
  expect(response.status).toBe(500);
  expect(lines).toEqual([
    { msg: 'invalid response', operation: 'getItems', status: 418, message: expect.stringContaining('418') },
  ]);
});

test('passes the response to a rejected request to observe, for the coverage of tests', async () => {
  for (const onInvalidResponse of ['fail', 'off'] as const) {
    const responses: unknown[] = [];
    const observed = ours({
      onInvalidResponse,
      observe: (_exchange, { status, payload }) => responses.push([status, payload]),
    });
    const base = await serve(observed);
    const { body } = await send(base, '/items?limit=0');
    expect(responses).toEqual([[400, JSON.stringify(body)]]);
  }
});

test('lists whole messages of errors, each with one full stop at most', async () => {
  const base = await serve(ours());
  const response = await fetch(`${base}/orders`, {
    method: 'POST',
    body: '<a/>',
    headers: { 'Content-Type': 'text/xml' },
  });
  expect(await response.json()).toEqual({
    message: 'The body must be sent as application/json, in UTF-8.',
    errors: [
      { path: '/header/Content-Type', message: 'The body must be sent as application/json, in UTF-8' },
    ],
  });
  const unknown = await send(base, '/items?unknown=a');
  expect(unknown.body.message).toMatch(/[^.]\.$/);
});
