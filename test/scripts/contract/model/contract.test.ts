import { describe, expect, test } from 'vitest';
import { createContract } from '../../../../scripts/contract/model/contract.ts';
import { markedPropertiesBy } from '../../../../scripts/contract/model/read-write-views.ts';

const book = {
  type: 'object',
  properties: { id: { type: 'integer', readOnly: true }, title: { type: 'string' } },
};
const document: object = {
  servers: [{ url: 'https://api.example.com/v1' }],
  security: [{ token: ['books:read'] }],
  paths: {
    '/books/{id}': {
      parameters: [
        { $ref: '#/components/parameters/Id' },
        { name: 'page', in: 'query', schema: { type: 'integer' }, description: 'of the path' },
        { name: 'X-Trace', in: 'header', schema: { type: 'integer' } },
      ],
      get: {
        tags: ['Books'],
        parameters: [
          {
            name: 'page',
            in: 'query',
            schema: { $ref: '#/components/schemas/Page' },
            'x-rules': [{ rule: 'It exists.', fields: ['query/page'], stored: true }],
          },
          { name: 'x-trace', in: 'header', schema: { type: 'string' } },
        ],
        responses: {
          200: {
            description: 'Found',
            headers: { ETag: { $ref: '#/components/headers/ETag' } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Alias' } } },
            links: { again: { operationRef: '#/paths/~1books~1{id}/get' } },
          },
        },
        'x-rules': [{ rule: 'Only one.', fields: ['/title'], code: 7 }],
      },
      put: {
        operationId: 'replaceBook',
        security: [{ token: [] }, {}],
        servers: [{ url: '/v2' }],
        requestBody: { $ref: '#/components/requestBodies/Book' },
        responses: {},
      },
    },
  },
  webhooks: {
    'book.created': {
      post: {
        requestBody: {
          content: { 'application/json': { schema: { ...book, $ref: '#/components/schemas/Book' } } },
        },
      },
    },
  },
  components: {
    schemas: { Alias: { $ref: '#/components/schemas/Book' }, Book: book, Page: { type: 'integer' } },
    parameters: {
      Id: {
        name: 'id',
        in: 'path',
        required: true,
        schema: { type: 'integer' },
        examples: { one: { $ref: '#/components/examples/Seven' } },
      },
    },
    examples: { Seven: { value: 7 } },
    headers: { ETag: { required: true, schema: { type: 'string' } } },
    requestBodies: {
      Book: { required: true, content: { 'application/json': { schema: book, example: { title: 'Emma' } } } },
    },
    securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'X-Token' } },
  },
};
const contract = createContract({ openapi: '3.1.1', ...document });
const [get, put] = contract.operations;

describe('the operations of a contract', () => {
  test('have the parameters of their path, which their own override', () => {
    expect(get?.parameters.map(({ name, pointer, schemaPointer }) => [name, pointer, schemaPointer])).toEqual(
      [
        ['id', '/components/parameters/Id', '/components/parameters/Id/schema'],
        ['page', '/paths/~1books~1{id}/get/parameters/0', '/components/schemas/Page'],
        // orval-labs/orval#3761: names of headers are the same in upper and lower case (RFC 9110, section 5.1).
        ['x-trace', '/paths/~1books~1{id}/get/parameters/1', '/paths/~1books~1{id}/get/parameters/1/schema'],
      ],
    );
    expect(put?.parameters[1]?.pointer).toBe('/paths/~1books~1{id}/parameters/1');
    expect(get?.parameters[0]?.examples).toEqual([{ name: 'one', value: 7 }]);
  });

  test('have schemas with pointers that lead to the last target of their references', () => {
    const response = get?.responses['200'];
    expect(response?.content[0]).toMatchObject({
      schema: { $ref: '#/components/schemas/Alias' },
      schemaPointer: '/components/schemas/Book',
    });
    expect(response?.headers[0]).toMatchObject({
      name: 'ETag',
      required: true,
      schemaPointer: '/components/headers/ETag/schema',
    });
    expect(put?.body).toMatchObject({ required: true, pointer: '/components/requestBodies/Book' });
  });

  test('have a pointer to a reference itself if the schema has other keywords', () => {
    expect(contract.webhooks[0]?.body?.content[0]?.schemaPointer).toBe(
      '/webhooks/book.created/post/requestBody/content/application~1json/schema',
    );
  });

  test('have the security and the servers of the document, unless they have their own', () => {
    expect(get).toMatchObject({
      security: [{ token: ['books:read'] }],
      securitySchemes: [[{ type: 'apiKey', in: 'header', name: 'X-Token' }]],
      basePaths: ['/v1'],
      hasOwnServers: false,
    });
    // A request without credentials is allowed, too.
    expect(put).toMatchObject({ securitySchemes: [], basePaths: ['/v2'], hasOwnServers: true });
    expect(contract.webhooks[0]).toMatchObject({ path: 'book.created', security: [] });
  });

  test('have their rules, links and tags', () => {
    expect(get).toMatchObject({ tags: ['Books'] });
    expect(get?.rules).toEqual([
      { rule: 'Only one.', fields: ['/title'], code: 7, stored: false },
      { rule: 'It exists.', fields: ['query/page'], code: undefined, stored: true },
    ]);
    expect(get?.responses['200']?.links).toEqual([
      { operationId: undefined, operationPointer: get?.pointer, parameters: {} },
    ]);
  });
});

describe('references', () => {
  test('are followed to the end, with the properties next to them', () => {
    expect(contract.follow({ $ref: '#/components/schemas/Alias', description: 'Mine' })).toEqual({
      node: book,
      pointer: '/components/schemas/Book',
      siblings: { description: 'Mine' },
    });
    expect(contract.follow(book, '/here').pointer).toBe('/here');
  });

  test.each(['#/components/schemas/Missing', '#/components/schemas/toString', '#anchor'])(
    'to %s are errors',
    (reference) => {
      expect(() => contract.resolve(reference)).toThrow(reference);
    },
  );

  test('that are circular end', () => {
    const components: object = { schemas: { A: { $ref: '#/components/schemas/A' } } };
    const circular = createContract({ openapi: '3.1.1', components });
    expect(circular.follow({ $ref: '#/components/schemas/A' }).pointer).toBe('/components/schemas/A');
  });
});

test('a view is made once, and has the operations without the properties of the other direction', () => {
  const requests = contract.view('request');
  expect(contract.view('request')).toBe(requests);
  expect(requests.resolve('#/components/schemas/Book')).toMatchObject({
    properties: { title: { type: 'string' } },
  });
  expect(contract.view('request', 'forbidden').resolve('#/components/schemas/Book')).toMatchObject({
    properties: { id: false },
  });
  expect(requests.operations.map(({ id }) => id)).toEqual(['getBooksId', 'replaceBook']);
});

test('readers of responses accept unknown properties, and unknown values of open enumerations', () => {
  const status = { enum: ['open'], 'x-open-enum': true };
  const format = { enum: ['a4'], 'x-extensible-enum': true };
  const properties = { status, format, kind: { enum: ['book'], 'x-extensible-enum': false } };
  const components: object = { schemas: { Loan: { properties, additionalProperties: false } } };
  const readers = createContract({ openapi: '3.1.1', components }).view('reader');
  expect(readers.resolve('#/components/schemas/Loan')).toEqual({
    properties: { ...properties, status: { 'x-open-enum': true }, format: { 'x-extensible-enum': true } },
  });
});

/** Each level combines the next one twice, so that 2^25 paths lead to the last one, which refers to the first. */
const levels = Array.from({ length: 25 }, (_, index) => ({
  allOf: [{ $ref: `${index + 1}` }, { $ref: `${index + 1}` }],
  properties: { [`of${index}`]: { readOnly: index % 10 === 0 } },
}));
const last = { $ref: '0', properties: { id: { allOf: [{ $ref: 'marked' }] }, name: {} } };
const marked = { readOnly: true };

test('finds the marked properties of schemas that are combined in many ways, and with themselves', () => {
  const schemas: Record<string, object> = { ...Object.fromEntries(levels.entries()), 25: last, marked };
  const markedIn = markedPropertiesBy((reference) => schemas[reference], 'readOnly');
  expect(markedIn(levels[0])).toEqual(['of0', 'of10', 'of20', 'id']);
});
