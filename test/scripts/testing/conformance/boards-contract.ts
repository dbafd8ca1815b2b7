const error = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});
const rejected = {
  400: error('The body is no JSON.'),
  401: error('No valid key.'),
  404: error('It does not exist.'),
  415: error('Another media type.'),
  422: error('It is invalid.'),
  429: {
    ...error('Too many requests.'),
    headers: { 'Retry-After': { required: true, schema: { type: 'integer' } } },
  },
};
const json = (schema: object) => ({ 'application/json': { schema } });
const path = (name: string) => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string', maxLength: 12 },
});
const named = (name: string) => json({ $ref: `#/components/schemas/${name}` });
const body = (name: string) => ({ required: true, content: named(name) });
const shown = (name: string) => ({ 200: { description: 'It.', content: named(name) }, ...rejected });
const made = (name: string) => ({ 201: { description: 'Made.', content: named(name) }, ...rejected });
const listed = (name: string) => ({
  200: {
    description: 'All.',
    content: json({ type: 'array', items: { $ref: `#/components/schemas/${name}` } }),
  },
  ...rejected,
});
const done = { 204: { description: 'Done.' }, ...rejected };
const match = { name: 'If-Match', in: 'header', required: true, schema: { type: 'string', maxLength: 40 } };
const changed = error('It has changed.');
const etag = { ETag: { required: true, schema: { type: 'string' } } };
const text = { type: 'string', minLength: 1, maxLength: 20 };
const has = (properties: object, more: object = {}) => ({
  type: 'object',
  required: Object.keys(properties),
  properties: { ...properties, ...more },
});
const id = { type: 'string', readOnly: true };

/** Boards with columns with cards, for several tenants. Some operations end the key, the data or the service. */
export const boardsContract = {
  openapi: '3.1.0',
  info: { title: 'Boards', version: '1.0.0' },
  security: [{ key: [] }],
  paths: {
    '/keys/rotate': {
      post: { operationId: 'rotateKey', responses: shown('Key') },
    },
    '/admin/stop': {
      post: {
        operationId: 'stop',
        description: 'Shuts down the service.',
        responses: done,
      },
    },
    '/boards': {
      parameters: [{ $ref: '#/components/parameters/Tenant' }],
      get: { operationId: 'listBoards', responses: listed('Board') },
      post: { operationId: 'addBoard', requestBody: body('Board'), responses: made('Board') },
      delete: { operationId: 'removeBoards', responses: done },
    },
    '/boards/{boardId}': {
      parameters: [{ $ref: '#/components/parameters/Tenant' }, path('boardId')],
      get: { operationId: 'getBoard', responses: shown('Board') },
    },
    '/boards/{boardId}/columns': {
      parameters: [{ $ref: '#/components/parameters/Tenant' }, path('boardId')],
      post: { operationId: 'addColumn', requestBody: body('Column'), responses: made('Column') },
    },
    '/boards/{boardId}/columns/{columnId}/cards': {
      parameters: [{ $ref: '#/components/parameters/Tenant' }, path('boardId'), path('columnId')],
      post: { operationId: 'addCard', requestBody: body('Card'), responses: made('Card') },
    },
    '/boards/{boardId}/columns/{columnId}/cards/{cardId}': {
      parameters: [
        { $ref: '#/components/parameters/Tenant' },
        path('boardId'),
        path('columnId'),
        path('cardId'),
      ],
      get: {
        operationId: 'getCard',
        responses: { ...shown('Card'), 200: { ...shown('Card')[200], headers: etag } },
      },
      put: {
        operationId: 'changeCard',
        parameters: [match],
        requestBody: body('Card'),
        responses: { ...shown('Card'), 412: changed },
      },
      delete: { operationId: 'removeCard', responses: done },
    },
  },
  components: {
    securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    parameters: {
      Tenant: { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string', maxLength: 12 } },
    },
    schemas: {
      Key: has({ key: { type: 'string' } }),
      Board: has({ name: text }, { id }),
      Column: has({ name: text }, { id }),
      Card: has({ title: text }, { id, points: { type: 'integer', minimum: 0, maximum: 100 } }),
      Problem: has({ title: { type: 'string' } }),
    },
  },
};
