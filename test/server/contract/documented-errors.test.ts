import { expect, test } from 'vitest';
import { documentedErrors } from '../../../server/contract/documented-errors.ts';
import { createApiClient } from '../../support/api-client.ts';
import { array, content, integer, object, reference, string, strings } from '../../support/schemas.ts';
import { servePipeline } from './serve-pipeline.ts';

/** Serves one operation with the given responses. It requires the query parameter `n`. */
async function serve(responses: object, schemas: object = {}) {
  const get = {
    parameters: [{ name: 'n', in: 'query', required: true, schema: integer }],
    responses: { '200': { description: 'Yes.' }, ...responses },
  };
  const document = { paths: { '/a': { get } }, components: { schemas } };
  const base = await servePipeline(document, async () => ({ status: 200 }));
  const { status, headers, body } = await createApiClient(base).send('/a');
  return { status, type: headers.get('content-type'), body };
}

const json = (schema: object, type?: string) => ({ description: 'No.', ...content(schema, type) });
const problemType = 'application/problem+json';
const any = { type: 'object' };
const message = 'query/n is required.';
const problem = {
  type: 'about:blank',
  title: 'Bad Request',
  status: 400,
  detail: message,
  errors: [{ detail: 'is required', parameter: 'query/n' }],
};

test.each([
  ['422', { '422': json(any), '400': json(any) }, 422],
  ['400', { '400': json(any), '4XX': json(any) }, 400],
  ['4XX', { '4XX': json(any), default: json(any) }, 400],
  ['default', { default: json(any) }, 400],
])('an invalid request gets the documented response: %s', async (_key, responses, status) => {
  expect(await serve(responses)).toMatchObject({ status, type: 'application/json' });
});

test('an error without a documented response is a problem document', async () => {
  expect(await serve({})).toEqual({ status: 400, type: problemType, body: problem });
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
  ['that is open', object({ code: { const: 7 } }, 'code'), { code: 7 }],
  ['with another type', { properties: { type: { const: 'urn:invalid' } } }, { type: 'urn:invalid' }],
])('a documented problem document %s lists the violations', async (_what, schema, own) => {
  const documented = { description: 'No.', content: { 'application/json': {}, [problemType]: { schema } } };
  expect(await serve({ '400': documented })).toEqual({
    status: 400,
    type: problemType,
    body: { ...problem, ...own },
  });
});

test('a documented problem document without room for violations does not list them', async () => {
  const schema = {
    ...object({ title: string, detail: string, status: integer }),
    additionalProperties: false,
  };
  expect((await serve({ '400': json(schema, problemType) })).body).toEqual({
    title: 'Bad Request',
    status: 400,
    detail: message,
  });
});

test.each([
  ['with a detail', object({ title: string }, 'title', 'detail')],
  ['with a title only', object({ title: string }, 'type', 'title')],
])('a documented problem document has the phrase of its status as title: %s', async (_what, schema) => {
  const { body } = await serve({ '422': json(schema, problemType) });
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
    object({ errors: { ...array(reference('Problem')), minItems: 1 } }, 'errors'),
    { errors: [{ title: 'Unprocessable Content', status: 422, detail: message }] },
  ],
  ['without a detail', { properties: { title: string } }, { title: message }],
])('JSON has a status phrase as title if its schema has a detail too: %s', async (_what, schema, body) => {
  const Problem = object({ type: string, title: string, status: integer, detail: string });
  expect((await serve({ '422': json({ ...Problem, ...schema }) }, { Problem })).body).toEqual(body);
});

test.each([
  [
    'a required code and message',
    object({ code: integer, message: string }, 'code', 'message'),
    { code: 422, message },
  ],
  [
    'a list of errors',
    object(
      { errors: { ...array(object({ detail: { ...string, maxLength: 5 } }, 'detail')), minItems: 1 } },
      'errors',
    ),
    { errors: [{ detail: 'query' }] },
  ],
  [
    'a nested list of locations',
    object(
      {
        error: object({
          message: string,
          details: array(object({ path: string, message: string, errorCode: string }, 'path', 'errorCode')),
        }),
      },
      'error',
    ),
    {
      error: {
        message,
        details: [{ path: '/query/n', message: 'is required', errorCode: 'validationFailed' }],
      },
    },
  ],
  ['a list of texts', object({ errors: strings }), { errors: [message] }],
  ['a list that no violation fits', object({ errors: array({ ...integer, maximum: -1 }) }), {}],
  [
    'fixed and limited values',
    {
      allOf: [
        object({ kind: { const: 'error' } }, 'kind'),
        object({ level: { enum: ['low', 'high'] }, id: { ...string, format: 'uuid' } }, 'level', 'id'),
      ],
    },
    { kind: 'error', level: 'low', id: '00000000-0000-0000-0000-000000000000' },
  ],
])('generates an error body that conforms to a schema with %s', async (_what, schema, body) => {
  expect((await serve({ '422': json(schema) })).body).toEqual(body);
});

test('sends the documented example if no body can be generated from the schema', async () => {
  const schema = object({ x: { ...string, pattern: '^[A-Z]{3}-\\d$' } }, 'x');
  const documented = { 'application/json': { schema, example: { x: 'ABC-1' } } };
  const { body } = await serve({ '422': { description: 'No.', content: documented } });
  expect(body).toEqual({ x: 'ABC-1' });
});
