import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { applyChange, type Edit } from '../../../../scripts/lab/mutation/contract-changes/contract-change.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const books = { type: 'array', items: reference('Book') };

/** `Book` is received from three operations and a webhook, and sent to one. `Author` is a part of it. */
const contract = () => ({
  openapi: '3.1.1',
  info: { title: 'Books', version: '1.0.0' },
  paths: {
    '/books': {
      get: {
        operationId: 'listBooks',
        parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: '', ...json(books) } },
      },
      post: {
        operationId: 'createBook',
        requestBody: json(reference('Book')),
        responses: { 201: { description: '', ...json(reference('Book')) } },
      },
    },
    '/books/{isbn}': {
      parameters: [{ name: 'isbn', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'getBook', responses: { 200: { description: '', ...json(reference('Book')) } } },
      delete: { operationId: 'deleteBook', responses: { 204: { description: '' } } },
    },
    '/ping': { get: { operationId: 'ping', responses: { 204: { description: '' } } } },
  },
  webhooks: {
    'book.created': {
      post: { requestBody: json(reference('Book')), responses: { 200: { description: '' } } },
    },
  },
  components: {
    schemas: {
      Book: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', maxLength: 100 },
          format: { type: 'string', enum: ['paper', 'audio'] },
          author: reference('Author'),
        },
      },
      Author: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
});

const book = '/components/schemas/Book';
const received = [
  'responses GET /books 200 application/json',
  'responses GET /books/{isbn} 200 application/json',
  'responses POST /books 201 application/json',
  'responses POST webhook book.created body application/json',
];
const sent = ['requests POST /books body application/json'];

interface Expected {
  schema: string | undefined;
  property: string | undefined;
  uses: string[];
}

const changes: [string, Edit, Expected][] = [
  [
    'a smaller maximum length concerns what is sent',
    [`${book}/properties/title/maxLength`, 50],
    { schema: 'Book', property: 'title', uses: sent },
  ],
  [
    'a larger maximum length concerns what is received',
    [`${book}/properties/title/maxLength`, 200],
    { schema: 'Book', property: 'title', uses: received },
  ],
  [
    'a new value of an enumeration concerns what is received',
    [`${book}/properties/format/enum`, ['paper', 'audio', 'braille']],
    { schema: 'Book', property: 'format', uses: received },
  ],
  [
    'a removed value of an enumeration concerns what is sent',
    [`${book}/properties/format/enum`, ['paper']],
    { schema: 'Book', property: 'format', uses: sent },
  ],
  [
    'a property that becomes required concerns what is sent',
    [`${book}/required`, ['title', 'format']],
    { schema: 'Book', property: undefined, uses: sent },
  ],
  [
    'a property that becomes optional concerns what is received',
    [`${book}/required`, []],
    { schema: 'Book', property: undefined, uses: received },
  ],
  [
    'a changed type of a nested schema concerns both directions of everything that contains it',
    ['/components/schemas/Author/properties/name/type', 'integer'],
    { schema: 'Author', property: 'name', uses: [...sent, ...received] },
  ],
  [
    'a removed parameter concerns one operation',
    ['/paths/~1books/get/parameters', []],
    { schema: undefined, property: undefined, uses: ['requests GET /books query page'] },
  ],
  [
    'a removed path concerns all its operations',
    ['/paths/~1books~1{isbn}'],
    {
      schema: undefined,
      property: undefined,
      uses: [
        'requests DELETE /books/{isbn} path isbn',
        'requests GET /books/{isbn} path isbn',
        'responses GET /books/{isbn} 200 application/json',
      ],
    },
  ],
  [
    'a removed operation without parameters and bodies concerns itself',
    ['/paths/~1ping/get'],
    { schema: undefined, property: undefined, uses: ['requests GET /ping'] },
  ],
];

test.each(changes)('%s', async (_name, edit, expected) => {
  const { breaking } = await compareContracts(contract(), applyChange(contract(), [edit]), '2026-11-25');
  const found = breaking.map(({ affected: { uses, ...owner } }) => ({
    ...owner,
    uses: uses.map(({ direction, location }) => `${direction} ${location}`).sort(),
  }));
  // Some changes have a finding for each direction.
  expect(found.length).toBeGreaterThan(0);
  for (const each of found) expect(each).toEqual({ ...expected, uses: expected.uses.toSorted() });
});
