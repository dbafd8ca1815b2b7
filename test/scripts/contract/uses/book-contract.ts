const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const books = { type: 'array', items: reference('Book') };

/** `Book` is received from three operations and a webhook, and sent to one. `Author` is a part of it. */
export const bookContract = () => ({
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
        responses: {
          201: { description: '', ...json(reference('Book')) },
          409: {
            description: '',
            ...json({ type: 'object', properties: { code: { enum: ['TAKEN', 'LOCKED'] } } }),
          },
        },
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
          isbn: { type: 'string' },
          title: { type: 'string', maxLength: 100 },
          format: { type: 'string', enum: ['paper', 'audio'] },
          author: reference('Author'),
        },
      },
      Author: { type: 'object', properties: { name: { type: 'string' } } },
    },
  },
});
