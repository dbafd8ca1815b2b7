import express, { type RequestHandler } from 'express';
import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { errorFormat } from '../../../server/errors.ts';
import { createPipeline } from '../../../server/http/express/pipeline.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { type ApiReply, createApiClient } from '../../support/api-client.ts';
import { type ServiceOptions, startService } from '../../support/service.ts';
import { startListening } from '../../support/start-listening.ts';
import { createFixtures, operationIds, sendValid } from '../own-contract/valid-requests.ts';

const origin = 'https://app.example.com';
const fromPage = { origin };

async function serviceWith(options: ServiceOptions = {}) {
  const service = await startService({ allowedOrigins: [origin], now: () => 1_700_000_000_000, ...options });
  return { ...service, fixtures: await createFixtures(service.company) };
}

test.each([
  ['without an Origin header', {}],
  ['with an Origin header', fromPage],
])(
  'middleware runs once for every request %s, even if it is rejected or its path is unknown',
  async (_case, headers) => {
    const seen: string[] = [];
    const { api, base, fixtures } = await serviceWith({
      middleware: [
        (req, _res, next) => {
          seen.push(`${req.method} ${req.path}`);
          next();
        },
      ],
    });
    for (const send of [
      ...operationIds.map((id) => () => sendValid(api, id, fixtures, { headers })),
      () => api.send('/api/v1/contacts', { method: 'POST', body: '{', headers }),
      () => createApiClient(base).send('/api/v1/contacts', { headers }),
      () => api.send('/api/v1/nothing', { headers }),
      () => api.send('/api/v1/contacts', { method: 'PATCH', headers }),
    ]) {
      seen.length = 0;
      await send();
      expect(seen).toHaveLength(1);
    }
  },
);

test('every operation returns the same response with or without an Origin header, except CORS headers', async () => {
  const comparable = ({ status, headers, text }: ApiReply) => {
    const compared: Record<string, string> = {};
    headers.forEach((value, name) => {
      if (!/^(date|vary|webhook-secret|access-control-.*|keep-alive|connection)$/.test(name))
        compared[name] = value;
    });
    return { status, text, headers: compared };
  };
  const one = await serviceWith();
  const other = await serviceWith();
  for (const id of operationIds) {
    const named = { 'x-request-id': id };
    const plain = await sendValid(one.api, id, one.fixtures, { headers: named });
    const cross = await sendValid(other.api, id, other.fixtures, { headers: { ...named, ...fromPage } });
    expect(cross.headers.get('access-control-allow-origin'), id).toBe(origin);
    expect(comparable(cross), id).toEqual(comparable(plain));
  }
});

test('middleware that throws or rejects causes a 500 response, and the error is reported and logged', async () => {
  const middleware: RequestHandler[] = [
    () => {
      throw new Error('a bug');
    },
  ];
  const { api, errors, records } = await startService({ middleware });
  expect(await api.listContacts()).toBeApiError(500, 50001, '');
  expect(errors.map(({ error }) => String(error))).toEqual(['Error: a bug']);
  expect(records).toEqual([expect.objectContaining({ status: 500, operation: undefined })]);
  const later: RequestHandler = (_req, _res, next) => void setTimeout(next, 1);
  for (const failing of [[() => Promise.reject(new Error('another bug'))], [later, ...middleware]]) {
    const other = await startService({ middleware: failing });
    expect(await other.api.listContacts()).toBeApiError(500, 50001, '');
  }
});

test('middleware can send a response itself, and sees the same request ID as the client', async () => {
  let id: unknown;
  const { api } = await startService({
    middleware: [
      (req, res, next) => {
        id = req.headers['x-request-id'];
        if (req.query.blocked === 'yes') res.status(403).json({ blocked: true });
        else next();
      },
    ],
  });
  expect(await api.listContacts('?blocked=yes')).toMatchObject({ status: 403, body: { blocked: true } });
  const { headers } = await api.listContacts('', { 'x-request-id': 'not valid!' });
  expect(headers.get('x-request-id')).toBe(id);
});

test('the pipeline works in another Express application, mounted below a path and after express.json()', async () => {
  const pipeline = createPipeline<object>({
    contract: compileContract(document),
    errors: errorFormat,
    authenticate: async () => ({ caller: {}, scopes: new Set(['contacts:write']), headers: {} }),
    respond: async (_operation, { body }) => ({
      status: 201,
      body: { id: JSON.stringify(body).includes('"first_name":"Ada"') ? 4021 : 1 },
      headers: { Location: '/api/v1/contacts/1' },
    }),
    ignore: (path) => path === '/v9/hello',
  });
  const app = express();
  app.use(express.json());
  app.use('/v9', pipeline);
  app.get('/v9/hello', (_req, res) => void res.send('hello'));
  const api = createApiClient(await startListening(createHttpServer(app)));
  const create = (body: unknown) => api.send('/v9/api/v1/contacts', { method: 'POST', body });
  expect(await create({ first_name: 'Ada' })).toMatchObject({ status: 201, body: { id: 4021 } });
  expect(await create({ first_name: 7 })).toBeApiError(422, 42201, '/first_name');
  expect(await api.send('/v9/api/v1/contacts', { method: 'PATCH' })).toBeApiError(405, 40501, '');
  expect(await api.send('/v9/hello')).toMatchObject({ status: 200, text: 'hello' });
  expect(await api.send('/v9/goodbye')).toBeApiError(404, 40402, '');
});
