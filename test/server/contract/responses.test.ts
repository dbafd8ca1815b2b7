import express from 'express';
import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { loadContract } from '../../../scripts/contract/load/load-contract.ts';
import type { OpenApiDocument } from '../../../scripts/lib/openapi-document.ts';
import { ApiError } from '../../../server/contract/errors.ts';
import type { HandlerResponse } from '../../../server/contract/exchange.ts';
import { type ApiErrorResponse, errorFormat, errorResponse } from '../../../server/errors.ts';
import { createPipeline, type PipelineOptions } from '../../../server/http/express/pipeline.ts';
import { createApiClient } from '../../support/api-client.ts';
import { content, documentOf, integer, responses } from '../../support/documents.ts';
import { startListening } from '../../support/start-listening.ts';

const admission = {
  caller: {},
  scopes: new Set(['contacts:read', 'contacts:write', 'fields:read']),
  headers: {},
};

/** Starts a pipeline whose handlers all return the same response. */
async function answering(
  given: () => HandlerResponse | ApiErrorResponse,
  contract: OpenApiDocument = document,
  options: Partial<PipelineOptions<object>> = {},
) {
  const errors: unknown[] = [];
  const pipeline = createPipeline({
    contract: compileContract(contract),
    errors: errorFormat,
    authenticate: async () => admission,
    respond: async () => given(),
    onError: ({ error }) => errors.push(error),
    ...options,
  });
  return {
    api: createApiClient(await startListening(express().use(pipeline))),
    faults: errors,
  };
}

/** A document with one operation, `GET /things`. */
const thingsWith = (responses: object) =>
  documentOf({ '/things': { get: { operationId: 'getThings', security: [], responses } } });

const contact = document.components.examples.Contact4021.value;
const etag = { ETag: '"x"' };

test('sends a valid response unchanged', async () => {
  const { api, faults: errors } = await answering(() => ({ status: 200, headers: etag, body: contact }));
  const reply = await api.getContact(1);
  expect([reply.status, reply.body, reply.headers.get('etag')]).toEqual([200, contact, '"x"']);
  expect(errors).toEqual([]);
});

test('says of an invalid response that only `default` documents its status', async () => {
  const responses = { default: { description: 'Any.', ...content({ type: 'object', required: ['id'] }) } };
  const { api, faults } = await answering(() => ({ status: 202, body: {} }), thingsWith(responses));
  await api.send('/things');
  expect(faults).toMatchObject([{ message: '/id is required (status 202 is documented by default alone)' }]);
});

test('names few and short locations of an invalid response, whose names can be of any length and number', async () => {
  const numbers = { type: 'object', additionalProperties: integer };
  const name = 'n'.repeat(1_000);
  const { api, faults } = await answering(
    () => ({
      status: 200,
      body: Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`${index}${name}`, ''])),
    }),
    thingsWith(responses(numbers, 200)),
  );
  await api.send('/things');
  const [{ message }] = faults as [Error];
  expect(message).toContain('… must be an integer');
  expect(message.length).toBeLessThan(50 * 300);
});

// cdimascio/express-openapi-validator#528, openapistack/openapi-backend#301, Azure/oav#446
test.each([204, 205, 304])('sends %d without the body that its description has', async (status) => {
  const described = { description: 'Any.', ...content({ type: 'object', required: ['id'] }) };
  for (const responses of [{ [status]: described }, { default: described }])
    for (const body of [undefined, { id: 1 }]) {
      const { api, faults } = await answering(() => ({ status, body }), thingsWith(responses));
      const { status: sent, text, headers } = await api.send('/things');
      expect([sent, text, headers.get('content-type'), faults]).toEqual([status, '', null, []]);
    }
});

// membrane/api-gateway#3099
test.each<[body: unknown, sent: string | undefined]>([
  ['a=1&l=x', 'a=1&l=x'],
  ['a=x', undefined],
  ['a=1&b', undefined],
  ['a=1&a=2', undefined],
  [{ a: 1, l: ['x y', 'z,&'], o: { p: 1 }, n: null }, 'a=1&l=x%20y&l=z,%26&o=%7B%22p%22%3A1%7D&n='],
  [{ a: 'x' }, undefined],
])('reads and writes a form as its schema says: %j', async (body, sent) => {
  const schema = {
    type: 'object',
    properties: { a: integer, l: { type: 'array' }, o: { type: 'object' }, n: { type: ['null', 'string'] } },
    additionalProperties: false,
  };
  const responses = {
    200: { description: 'A form.', content: { 'application/x-www-form-urlencoded': { schema } } },
  };
  const { api } = await answering(() => ({ status: 200, body }), thingsWith(responses));
  const { status, text } = await api.send('/things');
  expect(status === 200 ? text : undefined).toBe(sent);
});

test.each<[string, HandlerResponse]>([
  ['a status that is not documented', { status: 202, headers: etag, body: contact }],
  ['a status without a body that is not documented', { status: 204 }],
  ['a property too many', { status: 200, headers: etag, body: { ...contact, surplus: 1 } }],
  [
    'a value that JSON would drop',
    { status: 200, headers: etag, body: { ...contact, first_name: undefined } },
  ],
  ['a number that JSON cannot write', { status: 200, headers: etag, body: { ...contact, id: Number.NaN } }],
  ['no body', { status: 200, headers: etag }],
  ['a missing header', { status: 200, body: contact }],
  ['a header that is not documented', { status: 200, headers: { ...etag, 'X-Debug': '1' }, body: contact }],
  ['a header of the wrong form', { status: 200, headers: { ETag: 'weak' }, body: contact }],
  ['a header that cannot be sent', { status: 200, headers: { ETag: '"x"\r\nSet-Cookie: a' }, body: contact }],
  [
    'a media type that is not documented',
    { status: 200, headers: etag, mediaType: 'text/html', body: contact },
  ],
])('withholds a response with %s: the client gets 50002, and one error is reported', async (_what, given) => {
  const { api, faults: errors } = await answering(() => given);
  expect(await api.getContact(1)).toBeApiError(500, 50002, '');
  expect(errors).toHaveLength(1);
});

test('withholds an error response with an undocumented status or header, whether thrown or returned', async () => {
  const undocumented = errorResponse('preconditionFailed');
  const withHeader = errorResponse('notFound', { headers: { 'X-Debug': '1' } });
  for (const why of [undocumented, withHeader])
    for (const given of [
      () => why,
      () => {
        throw new ApiError(why);
      },
    ]) {
      const { api, faults: errors } = await answering(given);
      const reply = await api.getContact(1);
      expect(reply).toBeApiError(500, 50002, '');
      expect(reply.headers.get('x-debug')).toBeNull();
      expect(errors).toHaveLength(1);
    }
  const { api, faults: errors } = await answering(() => errorResponse('notFound'));
  expect(await api.getContact(1)).toBeApiError(404, 40401);
  expect(errors).toEqual([]);
});

test("returns 50001 if a handler throws, without the error's message", async () => {
  const { api, faults: errors } = await answering(() => {
    throw new Error('SELECT secret');
  });
  const reply = await api.getContact(1);
  expect(reply).toBeApiError(500, 50001, '');
  expect(reply.text).not.toContain('secret');
  expect(errors).toMatchObject([{ message: 'SELECT secret' }]);
});

const created = () => ({ status: 201, headers: { Location: '/api/v1/contacts/1' }, body: { id: 1 } });

test('if Node.js cannot write a response, reports the error, and then serves other requests', async () => {
  let headers = { 'X-Limit': 'two\nlines' };
  const { api, faults: errors } = await answering(created, document, {
    authenticate: async () => ({ ...admission, headers }),
  });
  await expect(api.createContact({})).rejects.toThrow();
  expect(errors).toHaveLength(1);
  headers = { 'X-Limit': 'one line' };
  expect((await api.createContact({})).status).toBe(201);
});

test('reports an error that onResponse throws, and still sends the response', async () => {
  const { api, faults: errors } = await answering(created, document, {
    onResponse: () => {
      throw new Error('No space left.');
    },
  });
  for (const expected of [1, 2]) {
    expect((await api.createContact({})).status).toBe(201);
    expect(errors).toHaveLength(expected);
  }
});

test('supports the media types, responses without a body and status classes of another contract', async () => {
  const { document: contract } = await loadContract('test/scripts/contract/generate/contracts/bookshop.yaml');
  const path = '/shop/books/9780141439587/copies';
  const copy = { title: 'Emma', shelf: 'A1' };
  for (const [given, status, body] of [
    [
      { status: 200, headers: { 'X-Count': 1 }, mediaType: 'text/csv', body: 'title\nEmma' },
      200,
      'title\nEmma',
    ],
    [{ status: 200, headers: { 'X-Count': 1 }, body: [copy] }, 200, JSON.stringify([copy])],
    [{ status: 418, body: { title: 'A teapot' } }, 418, '{"title":"A teapot"}'],
    [{ status: 503, mediaType: 'application/problem+json', body: { title: 'Out' } }, 503, '{"title":"Out"}'],
  ] satisfies [HandlerResponse, number, string][]) {
    const { api } = await answering(() => given, contract);
    const reply = await api.send(path);
    expect([reply.status, reply.text]).toEqual([status, body]);
  }
  for (const given of [
    { status: 200, headers: { 'X-Count': 1 }, body: [{ ...copy, surplus: 1 }] },
    { status: 418, body: {} },
  ]) {
    const { api } = await answering(() => given, contract);
    expect((await api.send(path)).status).toBe(500);
  }
  const { api } = await answering(() => ({ status: 204 }), contract);
  expect((await api.send('/shop/ping')).status).toBe(204);
});

test.each(['*/*', 'application/*'])(
  'validates and writes JSON that a handler returns for %s',
  async (range) => {
    const schema = { type: ['object', 'string'], properties: { id: integer } };
    const get = { responses: { 200: { description: 'Yes.', ...content(schema, range) } } };
    for (const [body, status, text] of [
      [{ id: 1 }, 200, '{"id":1}'],
      ['text', 200, '"text"'],
      [{ id: 'x' }, 500, expect.stringContaining('50002')],
    ] as const) {
      const given = () => ({ status: 200, body, mediaType: 'application/json' });
      const { api } = await answering(given, documentOf({ '/a': { get } }));
      expect(await api.send('/a')).toMatchObject({ status, text });
    }
  },
);
