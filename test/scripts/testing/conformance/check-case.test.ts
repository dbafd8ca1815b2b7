import { expect, test } from 'vitest';
import { checkCase } from '../../../../scripts/testing/conformance/check-case.ts';
import { countOutcome, type OutcomeCounts } from '../../../../scripts/testing/conformance/check-result.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import type { InvalidInput } from '../../../../scripts/testing/requests/serialize.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const error = {
  description: 'No.',
  ...json({ type: 'object', properties: { code: {}, message: {}, fields: { type: 'string' } } }),
};
const responses = {
  200: {
    description: 'Yes.',
    headers: {
      'X-Ids': { schema: { type: 'array', items: { type: 'integer' } } },
      'X-Colour': { schema: { type: 'object', properties: { R: { type: 'integer' } }, required: ['R'] } },
      'Content-Type': { schema: { type: 'integer' } },
    },
    ...json({ type: 'array', items: { type: 'integer' } }),
  },
  404: error,
  422: error,
};
const rules = [
  { fields: ['/items/*/id'], rule: 'It is there.', stored: true },
  { fields: ['header/Key'], rule: 'It is new.', code: 42202, stored: true },
];
const context = createSchemaContext({
  paths: {
    '/things/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: responses },
      head: { responses: responses },
      put: { responses: { ...responses, 401: error }, 'x-rules': rules },
    },
  },
});
const operations = operationsOf(context);

const invalid: InvalidInput = { kind: 'broken', keyword: 'maxLength', field: '/name' };
const errorBody = (fields: string, code = 42201) => JSON.stringify({ code, message: 'No.', fields });

function result(
  method: string,
  response: { status: number; text?: string; headers?: object },
  wrong?: InvalidInput,
) {
  const operation = operations.find((each) => each.method === method.toLowerCase()) ?? expect.fail(method);
  const request = { operation, path: { id: 1 }, query: {}, header: {}, cookie: {} };
  const whole = {
    text: '',
    ...response,
    headers: { 'content-type': 'application/json', ...response.headers },
  };
  return checkCase(context, { request, what: '', wrong }, whole);
}
const told = (...given: Parameters<typeof result>) => result(...given).violations.map(({ check }) => check);

test('parses response headers in their OpenAPI style, and ignores a documented Content-Type header', () => {
  const text = '[1]';
  expect(told('GET', { status: 200, text, headers: { 'x-ids': '1, 2', 'x-colour': 'R,100' } })).toEqual([]);
  expect(told('GET', { status: 200, text, headers: { 'x-colour': 'R=100,G=2' } })).toEqual(['headers']);
  expect(told('GET', { status: 200, text, headers: { 'x-ids': '1,b' } })).toEqual(['headers']);
  expect(told('GET', { status: 200, text, headers: { 'x-colour': 'R,red' } })).toEqual(['headers']);
});

test('requires the documented body in every response, except to HEAD', () => {
  expect(told('HEAD', { status: 200 })).toEqual([]);
  expect(told('GET', { status: 200 })).toEqual(['body']);
});

test('violations that differ only in an array index have the same message', () => {
  const message = (text: string) => result('GET', { status: 200, text }).violations[0]?.message;
  expect(message('["a"]')).toBe(message('[1, 2, "b", "c"]'));
  expect(message('{}')).not.toBe(message('["a"]'));
});

test('requests with different undocumented properties have the same message', () => {
  const messages = ['/size/aa', '/size/b'].map((field) => {
    const added: InvalidInput = { kind: 'broken', keyword: 'additionalProperties', field };
    return result('PUT', { status: 200, text: '[]' }, added).violations[0]?.message;
  });
  const message = 'additionalProperties of /size/* is violated: the service returned 200 instead of 422';
  expect(messages).toEqual([message, message]);
});

test('an invalid request must be rejected, with 404 or with an error that names the invalid location', () => {
  expect(told('PUT', { status: 404, text: errorBody('path/id', 40401) }, invalid)).toEqual([]);
  expect(told('PUT', { status: 422, text: errorBody('/other, /name') }, invalid)).toEqual([]);
  expect(told('PUT', { status: 422, text: errorBody('/other') }, invalid)).toEqual(['names-location']);
  expect(told('PUT', { status: 200, text: '[]' }, invalid)).toEqual(['rejects-invalid']);
});

test('a valid request may be rejected only by a documented rule, with its code and location, or with 404', () => {
  const outcome = (...given: Parameters<typeof result>) => result(...given).outcome;
  expect(outcome('PUT', { status: 422, text: errorBody('/items/3/id') })).toBe('rejected by a rule');
  expect(outcome('PUT', { status: 422, text: errorBody('header/Key', 42202) })).toBe('rejected by a rule');
  expect(outcome('PUT', { status: 404, text: errorBody('path/id', 40401) })).toBe('not found');
  for (const text of [
    errorBody('header/Key'),
    errorBody('/items/3'),
    errorBody('/items/3/id, /name'),
    errorBody(''),
  ])
    expect(told('PUT', { status: 422, text }), text).toEqual(['accepts-valid']);
});

test('an operation without security may reject a valid request with a documented 401, as a login does', () => {
  expect(result('put', { status: 401, text: errorBody('') }).outcome).toBe('rejected by a rule');
  expect(told('get', { status: 401, text: errorBody('') })).toContain('accepts-valid');
});

test('a rule explains an error in any format that names one of its fields', () => {
  const texts = (text: string) => result('put', { status: 422, text }).violations.map(({ detail }) => detail);
  const body = { error: { details: [{ path: '/items/0/id', message: 'It is not there.' }] } };
  expect(texts(JSON.stringify(body))).toEqual([]);
  expect(result('put', { status: 422, text: JSON.stringify(body) }).outcome).toBe('rejected by a rule');
  expect(texts('{"note":"The idea is wrong."}')).toEqual([
    'no rule under x-rules of the operation has a field that the error response names',
  ]);
});

test('counts rejections together if their bodies differ in IDs only', () => {
  const outcomes = new Map<string, OutcomeCounts>();
  const reject = (body: string) => countOutcome(outcomes, 'getPhoto', { status: 404, body });
  const bodies = [
    'no pet 7',
    'no pet 12',
    'no pet 7f3a0c1e-0d5b',
    'no pet a1b2c3d4-77aa',
    'no photo of pet 7',
  ];
  bodies.forEach(reject);
  expect(outcomes.get('getPhoto')).toEqual({
    sent: bodies.length,
    accepted: 0,
    rejections: [
      { status: 404, body: bodies[0], count: 4 },
      { status: 404, body: bodies[4], count: 1 },
    ],
  });
});
