import { expect, test } from 'vitest';
import { content, documentOf, reference } from '../../../support/schemas.ts';
import { conformanceOf } from '../conformance/conformance-of.ts';

const text = (example: string) => ({ type: 'string', minLength: 3, example });

test.each([
  ['of its properties', { properties: { user: reference('User'), pin: text('1234') } }],
  ['of its schema', { properties: { user: reference('User') }, example: { user: 'ada', pin: '1234' } }],
  [
    'of a part of its schema',
    { allOf: [{ properties: { user: reference('User') } }, { properties: { pin: text('1234') } }] },
  ],
])('a request without an example has the examples %s, also behind a reference', async (_where, schema) => {
  const login = { type: 'object', required: ['user', 'pin'], ...schema };
  const post = {
    operationId: 'login',
    parameters: [{ name: 'tenant', in: 'path', required: true, schema: reference('Tenant') }],
    requestBody: { required: true, ...content(reference('Login')) },
    responses: { 204: { description: 'Yes.' }, 401: { description: 'No.' } },
  };
  const schemas = { Login: login, User: text('ada'), Tenant: text('acme') };
  const document = documentOf({ '/login/{tenant}': { post } }, { components: { schemas } });
  const sent: unknown[] = [];
  await conformanceOf(
    document,
    async ({ target, body }) => {
      sent.push({ target, body: JSON.parse(String(body)) });
      return { status: 204, headers: {}, text: '' };
    },
    { phases: ['examples'], runs: 1 },
  );
  expect(sent).toContainEqual({
    target: '/login/acme',
    body: expect.objectContaining({ user: 'ada', pin: '1234' }),
  });
});
