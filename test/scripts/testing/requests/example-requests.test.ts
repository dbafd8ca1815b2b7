import { expect, test } from 'vitest';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { contractOf } from '../../../support/contract-of.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const text = (example: string) => ({ type: 'string', minLength: 3, example });

test.each([
  ['of its properties', { properties: { user: ref('User'), pin: text('1234') } }],
  ['of its schema', { properties: { user: ref('User') }, example: { user: 'ada', pin: '1234' } }],
  [
    'of a part of its schema',
    { allOf: [{ properties: { user: ref('User') } }, { properties: { pin: text('1234') } }] },
  ],
])('a request without an example has the examples %s, also behind a reference', async (_where, schema) => {
  const login = { type: 'object', required: ['user', 'pin'], ...schema };
  const contract = contractOf({
    info: { title: 'T', version: '1' },
    paths: {
      '/login/{tenant}': {
        post: {
          operationId: 'login',
          parameters: [{ name: 'tenant', in: 'path', required: true, schema: ref('Tenant') }],
          requestBody: { required: true, content: { 'application/json': { schema: ref('Login') } } },
          responses: { 204: { description: 'Yes.' }, 401: { description: 'No.' } },
        },
      },
    },
    components: { schemas: { Login: login, User: text('ada'), Tenant: text('acme') } },
  });
  const sent: unknown[] = [];
  await runConformance({
    contract,
    send: async ({ target, body }) => {
      sent.push({ target, body: JSON.parse(String(body)) });
      return { status: 204, headers: {}, text: '' };
    },
    base: 'http://127.0.0.1',
    credentials: { headers: {}, query: {} },
    phases: ['examples'],
    only: [],
    runs: 1,
    seed: 7,
    pause: async () => {},
  });
  expect(sent).toContainEqual({
    target: '/login/acme',
    body: expect.objectContaining({ user: 'ada', pin: '1234' }),
  });
});
