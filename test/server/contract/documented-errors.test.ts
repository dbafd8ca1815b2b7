import { expect, test } from 'vitest';
import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import { createApiClient } from '../../support/api-client.ts';
import { servePipeline } from './serve-pipeline.ts';

/** Serves one operation with the given responses. It requires the query parameter `n`. */
async function serve(responses: object, schemas: object = {}) {
  const paths = {
    '/a': {
      get: {
        operationId: 'getA',
        parameters: [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }],
        responses: { '200': { description: 'Yes.' }, ...responses },
      },
    },
  };
  const api = createApiClient(
    await servePipeline({ paths, components: { schemas } }, async () => ({ status: 200 })),
  );
  const { status, headers, body } = await api.send('/a');
  return { status, type: headers.get('content-type'), body };
}

const json = (schema: object) => ({ description: 'No.', content: { 'application/json': { schema } } });
const message = 'query/n is required.';
const problem = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  detail: message,
  errors: [{ detail: 'is required', parameter: 'query/n' }],
};

test.each([
  ['422', { '422': json({ type: 'object' }), '400': json({ type: 'object' }) }, 422],
  ['400', { '400': json({ type: 'object' }), '4XX': json({ type: 'object' }) }, 400],
  ['4XX', { '4XX': json({ type: 'object' }), default: json({ type: 'object' }) }, 400],
  ['default', { default: json({ type: 'object' }) }, 400],
])('an invalid request gets the documented response: %s', async (_key, responses, status) => {
  expect(await serve(responses)).toMatchObject({ status, type: 'application/json' });
});

test('an error without a documented response is a problem document', async () => {
  expect(await serve({})).toEqual({ status: 400, type: 'application/problem+json', body: problem });
});

test.each([
  ['/name', { pointer: '#/name' }],
  ['/a b~1c/0/ä#%', { pointer: '#/a%20b~1c/0/%C3%A4%23%25' }],
  ['/\ud800', { pointer: '#/%EF%BF%BD' }],
  ['body', { pointer: '#' }],
  ['query/n', { parameter: 'query/n' }],
  ['header/X-Key', { parameter: 'header/X-Key' }],
])('a problem document locates %s', (field, place) => {
  const violations = [{ field, message: 'is required' }];
  const response = documentedErrors.respond('validationFailed', { violations });
  expect(documentedErrors.body(response)).toMatchObject({
    status: response.status,
    errors: [{ detail: 'is required', ...place }],
  });
});

test.each([
  ['that is open', { type: 'object', properties: { code: { const: 7 } }, required: ['code'] }, { code: 7 }],
  ['with another type', { properties: { type: { const: 'urn:invalid' } } }, { type: 'urn:invalid' }],
])('a documented problem document %s lists the violations', async (_what, schema, own) => {
  const content = { 'application/json': {}, 'application/problem+json': { schema } };
  expect(await serve({ '400': { description: 'No.', content } })).toEqual({
    status: 400,
    type: 'application/problem+json',
    body: { ...problem, ...own },
  });
});

test('a documented problem document without room for violations does not list them', async () => {
  const properties = { title: { type: 'string' }, detail: { type: 'string' }, status: { type: 'integer' } };
  const content = {
    'application/problem+json': { schema: { type: 'object', properties, additionalProperties: false } },
  };
  expect((await serve({ '400': { description: 'No.', content } })).body).toEqual({
    title: 'Bad Request',
    status: 400,
    detail: message,
  });
});

test.each([
  [
    'with a detail',
    { type: 'object', required: ['title', 'detail'], properties: { title: { type: 'string' } } },
  ],
  [
    'with a title only',
    { type: 'object', required: ['type', 'title'], properties: { title: { type: 'string' } } },
  ],
])('a documented problem document has the phrase of its status as title: %s', async (_what, schema) => {
  const content = { 'application/problem+json': { schema } };
  const { body } = await serve({ '422': { description: 'No.', content } });
  expect(body).toMatchObject({ title: 'Unprocessable Content', detail: message });
});

test.each([
  [
    'of one object',
    { required: ['type', 'title', 'detail'] },
    { type: 'about:blank', title: 'Unprocessable Content', status: 422, detail: message },
  ],
  [
    'of each item of a list',
    {
      required: ['errors'],
      properties: {
        errors: { type: 'array', minItems: 1, items: { $ref: '#/components/schemas/Problem' } },
      },
    },
    { errors: [{ title: 'Unprocessable Content', status: 422, detail: message }] },
  ],
  ['without a detail', { properties: { title: { type: 'string' } } }, { title: message }],
])('JSON has a status phrase as title if its schema has a detail too: %s', async (_what, schema, body) => {
  const properties = {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
  };
  const Problem = { type: 'object', properties };
  const documented = { type: 'object', properties, ...schema };
  expect((await serve({ '422': json(documented) }, { Problem })).body).toEqual(body);
});

test.each([
  [
    'a required code and message',
    {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'integer' }, message: { type: 'string' } },
    },
    { code: 422, message },
  ],
  [
    'a list of errors',
    {
      type: 'object',
      required: ['errors'],
      properties: {
        errors: {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            required: ['detail'],
            properties: { detail: { type: 'string', maxLength: 5 } },
          },
        },
      },
    },
    { errors: [{ detail: 'query' }] },
  ],
  [
    'a nested list of locations',
    {
      type: 'object',
      properties: {
        error: {
          type: 'object',
          properties: {
            message: { type: 'string' },
            details: {
              type: 'array',
              items: {
                type: 'object',
                required: ['path'],
                properties: { path: { type: 'string' }, message: { type: 'string' } },
              },
            },
          },
        },
      },
      required: ['error'],
    },
    { error: { message, details: [{ path: '/query/n', message: 'is required' }] } },
  ],
  [
    'a list of texts',
    { type: 'object', properties: { errors: { type: 'array', items: { type: 'string' } } } },
    { errors: [message] },
  ],
  [
    'a list that no violation fits',
    {
      type: 'object',
      properties: { errors: { type: 'array', items: { type: 'integer', maximum: -1 } } },
    },
    {},
  ],
  [
    'fixed and limited values',
    {
      allOf: [
        { type: 'object', required: ['kind'], properties: { kind: { const: 'error' } } },
        {
          type: 'object',
          required: ['level', 'id'],
          properties: { level: { enum: ['low', 'high'] }, id: { type: 'string', format: 'uuid' } },
        },
      ],
    },
    { kind: 'error', level: 'low', id: '00000000-0000-0000-0000-000000000000' },
  ],
])('generates an error body that conforms to a schema with %s', async (_what, schema, body) => {
  expect((await serve({ '422': json(schema) })).body).toEqual(body);
});

test('sends the documented example if no body can be generated from the schema', async () => {
  const schema = {
    type: 'object',
    required: ['x'],
    properties: { x: { type: 'string', pattern: '^[A-Z]{3}-\\d$' } },
  };
  const content = { 'application/json': { schema, example: { x: 'ABC-1' } } };
  expect((await serve({ '422': { description: 'No.', content } })).body).toEqual({ x: 'ABC-1' });
});
