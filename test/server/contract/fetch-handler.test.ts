import { expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { fetchHandler } from '../../../scripts/runtime-package/fetch.ts';
import { content, documentOf, integer, object, responses, string } from '../../support/documents.ts';

const book = object({ title: { ...string, maxLength: 24 } }, 'title');
const paths = {
  '/books/{id}': {
    get: {
      operationId: 'getBook',
      parameters: [{ name: 'id', in: 'path', required: true, schema: integer }],
      responses: responses(book, 200),
    },
  },
  '/books': {
    post: {
      operationId: 'createBook',
      security: [{ key: [] }],
      requestBody: { required: true, ...content(book) },
      responses: responses(book, 201),
    },
  },
};
const securitySchemes = { key: { type: 'apiKey', in: 'header', name: 'X-Key' } };
const compiled = compileContract(documentOf(paths, { components: { securitySchemes } }));

const handle = fetchHandler(compiled, {
  bodyLimit: 100,
  handlers: {
    getBook: async ({ path }: { path: { id: number } }) => ({
      status: 200,
      body: { title: path.id === 0 ? new Date(0) : `Book ${path.id}` },
    }),
    createBook: async ({ body }: { body: unknown }) => ({ status: 201, body }),
  },
});

const post = (body: string, headers: Record<string, string> = { 'X-Key': 'k' }) =>
  handle(
    new Request('http://books/books', {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/json', ...headers },
    }),
  );

test('enforces a contract without a server', async () => {
  const found = await handle(new Request('http://books/books/7'));
  expect([found.status, await found.json()]).toEqual([200, { title: 'Book 7' }]);
  expect((await handle(new Request('http://books/books/seven'))).status).toBe(400);
  expect((await handle(new Request('http://books/shelves'))).status).toBe(404);
  expect((await handle(new Request('http://books/books/7', { method: 'PUT' }))).headers.get('allow')).toBe(
    'GET',
  );
  const head = await handle(new Request('http://books/books/7', { method: 'HEAD' }));
  expect([head.status, await head.text()]).toEqual([200, '']);
});

// cdimascio/express-openapi-validator#246, #566
test('validates a date that a handler returns as the text that is sent', async () => {
  const response = await handle(new Request('http://books/books/0'));
  expect([response.status, await response.json()]).toEqual([200, { title: '1970-01-01T00:00:00.000Z' }]);
});

test('requires credentials, and limits and validates bodies', async () => {
  expect((await post('{"title":"A"}')).status).toBe(201);
  expect((await post('{"title":"A"}', {})).status).toBe(401);
  expect((await post('{"title":1}')).status).toBe(400);
  expect((await post(`{"title":"${'a'.repeat(200)}"}`)).status).toBe(413);
});

test('makes documented errors with numbers above an exclusive limit', async () => {
  const low = { type: 'integer', exclusiveMinimum: 0 };
  const parameters = [{ name: 'n', in: 'query', schema: integer }];
  const get = {
    ...{ operationId: 'getA', parameters },
    responses: responses(object({ low }, 'low'), 400),
  };
  const refuse = fetchHandler(compileContract(documentOf({ '/a': { get } })), {
    handlers: { getA: async () => ({ status: 200 }) },
  });
  const response = await refuse(new Request('http://books/a?n=x'));
  expect([response.status, await response.json()]).toEqual([400, { low: 1 }]);
});
