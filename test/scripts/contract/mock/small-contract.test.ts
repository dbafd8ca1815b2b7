import { afterAll, expect, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { parsePrefer } from '../../../../scripts/contract/mock/prefer.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { loadMock } from '../../../../scripts/contract/survive/load-mock.ts';
import { writeDocument } from '../../../support/documents.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = { 200: { description: 'Yes.', ...json({ type: 'object' }) } };
const get = (operation: object) => ({ get: { responses: ok, ...operation } });
const ticket = { type: 'string', pattern: '^T-[0-9]{4}$' };

const document = {
  openapi: '3.1.0',
  info: { title: 'Forms', version: '1' },
  paths: {
    '/errors': get({
      parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }],
      responses: {
        ...ok,
        422: {
          description: 'No.',
          headers: { 'X-Server': { required: true, schema: { type: 'string', enum: ['a', 'b'] } } },
          ...json({ type: 'object', required: ['ticket'], properties: { ticket } }),
        },
      },
    }),
    '/invalid-example': get({
      responses: {
        200: {
          description: 'Yes.',
          content: { 'application/json': { schema: { type: 'integer' }, example: 'seven' } },
        },
      },
    }),
    '/events': get({
      responses: {
        200: {
          description: 'Yes.',
          content: {
            'text/event-stream': {
              examples: { bare: { value: 'one\ntwo\n' }, whole: { value: 'event: a\ndata: 1\n' } },
            },
          },
        },
      },
    }),
    '/nothing-fits': get({
      responses: { 200: { description: 'Yes.', ...json({ type: 'integer', minimum: 5, maximum: 4 }) } },
    }),
    '/token': get({ security: [{ token: [] }] }),
    '/certificate': get({ security: [{ certificate: [] }] }),
    '/both': get({ security: [{ token: [], key: [] }] }),
  },
  components: {
    securitySchemes: {
      token: { type: 'http', scheme: 'bearer' },
      certificate: { type: 'mutualTLS' },
      key: { type: 'apiKey', in: 'query', name: 'key' },
    },
  },
};

const api = await writeDocument(document, afterAll);
// The mock server runs the same functions.
const mock = (await loadMock(await loadContract(api), withDefaults({}), api)).createMock();
const send = (path: string, headers: Record<string, string> = {}) =>
  mock.fetch(`http://mock${path}`, { headers });

test('completes errors with the headers and values that the contract requires', async () => {
  const response = await send('/errors?size=x');
  expect([response.status, response.headers.get('X-Server')]).toEqual([422, expect.stringMatching(/^[ab]$/)]);
  expect(await response.json()).toMatchObject({ ticket: expect.stringMatching(/^T-\d{4}$/) });
});

test('replaces an invalid example, unless a request asks for it', async () => {
  const response = await send('/invalid-example');
  expect([response.status, await response.json()]).toEqual([200, expect.any(Number)]);
  expect((await send('/invalid-example', { Prefer: 'example=example' })).status).toBe(500);
});

test('sends an example of an event stream as events', async () => {
  const textOf = async (example: string) => (await send('/events', { Prefer: `example=${example}` })).text();
  expect(await textOf('bare')).toBe('data: one\ndata: two\n\n');
  expect(await textOf('whole')).toBe('event: a\ndata: 1\n\n');
});

test('returns 500 if no value conforms to a schema, and reports it', async () => {
  expect((await send('/nothing-fits')).status).toBe(500);
  expect(() => mock.verify()).toThrow(/GET \/nothing-fits/);
});

test('accepts any credentials of the documented schemes but wrong-credentials, and no others', async () => {
  const statusOf = async (path: string, authorization?: string) =>
    (await send(path, authorization === undefined ? {} : { Authorization: authorization })).status;
  expect(await statusOf('/token', 'Bearer x')).toBe(200);
  expect(await statusOf('/token', 'Bearer')).toBe(401);
  expect(await statusOf('/token', 'Basic x')).toBe(401);
  expect(await statusOf('/token', 'Bearer wrong-credentials')).toBe(401);
  expect(await statusOf('/both?key=k', 'Bearer x')).toBe(200);
  expect(await statusOf('/both', 'Bearer x')).toBe(401);
  // Any value stands for a certificate.
  expect(await statusOf('/certificate', 'anything')).toBe(200);
  expect(await statusOf('/certificate')).toBe(401);
  expect(await statusOf('/no-such-path')).toBe(404);
  expect(await statusOf('/no-such-path', 'Bearer x')).toBe(404);
});

const none = { code: undefined, exampleKey: undefined, dynamic: undefined, seed: undefined };

test.each([
  ['code=404', { code: 404 }],
  ['Code = 404, EXAMPLE="Empty page"', { code: 404, exampleKey: 'Empty page' }],
  ['code=404; foo, code=500', { code: 404 }],
  ['example="a, b";bar="x, y", wait=7', { exampleKey: 'a, b' }],
  ['example="a; code=500"', { exampleKey: 'a; code=500' }],
  ['dynamic=true, seed=7', { dynamic: true, seed: '7' }],
  ['wait=2', {}],
])('reads the preferences in Prefer: %s', (prefer, found) => {
  expect(parsePrefer(prefer)).toEqual({ ...none, ...found });
});

test.each(['code=40', 'code=true', 'dynamic=yes', 'code='])('refuses Prefer: %s', (prefer) => {
  expect(() => parsePrefer(prefer)).toThrow('Prefer must have a status code of three digits');
});
