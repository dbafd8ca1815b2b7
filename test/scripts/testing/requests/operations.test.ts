import { expect, test } from 'vitest';
import { viewFor } from '../../../../scripts/contract/model/read-write-views.ts';
import { operationsOf, requestOperations } from '../../../../scripts/testing/requests/operations.ts';
import { pathShape, templateNames } from '../../../../scripts/testing/requests/path-template.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { content, contractOf, documentOf, reference } from '../../../support/documents.ts';
import { conformanceOf } from '../conformance/conformance-of.ts';

const base = {
  type: 'object',
  properties: {
    id: { type: 'integer', readOnly: true },
    secret: { $ref: '#/components/schemas/Secret' },
    name: { type: 'string' },
  },
};
const document = {
  components: {
    schemas: {
      Secret: { type: 'string', writeOnly: true },
      Base: { ...base, required: ['id', 'secret', 'name'] },
      // A common notation: `required` is next to the reference to the schema that describes the properties.
      Whole: { allOf: [{ $ref: '#/components/schemas/Base' }, { required: ['id', 'secret', 'name'] }] },
      // A property can have the name of a keyword.
      Odd: { properties: { required: { type: 'string' }, properties: { type: 'string', readOnly: true } } },
    },
  },
};

const withNames = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, expect.anything()]));

test.each([
  ['requests', ['secret', 'name'], ['required']],
  ['responses', ['id', 'name'], ['required', 'properties']],
] as const)(
  'the view for %s contains only properties that are sent in that direction',
  (direction, names, odd) => {
    const schemas = {
      Base: expect.objectContaining({ required: names, properties: withNames(names) }),
      Whole: { allOf: [{}, { required: names }] },
      Odd: expect.objectContaining({ properties: withNames(odd) }),
    };
    expect(viewFor(direction, document)).toMatchObject({ components: { schemas } });
  },
);

test('a schema that contains itself lacks a property on each level that the schema beside the reference marks', () => {
  const $ref = '#/components/schemas/Node';
  const child = { $ref, properties: { id: { readOnly: true } } };
  const Node = { type: 'object', required: ['id'], properties: { id: {}, child } };
  const context = createSchemaContext(viewFor('requests', { components: { schemas: { Node } } }));
  expect(context.isValid({ $ref }, { id: 1, child: { child: {} } })).toBe(true);
  expect(context.isValid({ $ref }, { child: {} })).toBe(false);
});

test('examples of requests with readOnly properties are not sent, and responses have these properties', () => {
  const schema = { type: 'object', properties: { id: { type: 'integer', readOnly: true }, name: {} } };
  const examples = {
    whole: { value: { id: 1, name: 'Emma' } },
    written: { value: { name: 'Emma' } },
    wrong: { value: 7 },
  };
  const content = { 'application/json': { schema, examples } };
  const responses = { 200: { description: '', content } };
  const post = { operationId: 'createBook', requestBody: { content }, responses };
  const api = { openapi: '3.1.0', paths: { '/books': { post } } };
  const requests = createSchemaContext(viewFor('requests', api));
  const documented = operationsOf(createSchemaContext(viewFor('responses', api)));
  const [operation] = requestOperations(contractOf(api), requests, documented);
  // An example that does not match its schema is reported elsewhere.
  expect(operation?.body?.content[0]?.examples.map(({ name }) => name)).toEqual(['written', 'wrong']);
  expect(operation?.responses['200']).toMatchObject({ content: [{ schema }] });
});

test('parses a path template, and recognizes matching paths', () => {
  expect(templateNames('/books/{isbn}/copies/{copy}')).toEqual(['isbn', 'copy']);
  expect(pathShape('/books/{isbn}').exec('/books/7')?.slice(1)).toEqual(['7']);
  expect(pathShape('/books/{isbn}').test('/shop/books/7')).toBe(false);
  expect(pathShape('/books/{isbn}', 'below any path').exec('/shop/books/7')?.[1]).toBe('7');
  expect(pathShape('/a.b/{c}').test('/aXb/1')).toBe(false);
});

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
