const problem = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };
const error = (description: string) => ({ description, content: problem });
const seconds = { required: true, schema: { type: 'integer', minimum: 0 } };
const errors = {
  400: error('The body cannot be parsed.'),
  401: error('No valid token.'),
  404: error('It does not exist.'),
  415: error('Another media type.'),
  422: error('A value is invalid.'),
  429: { ...error('Too many requests.'), headers: { 'Retry-After': seconds } },
};
const json = (schema: object) => ({ 'application/json': { schema } });
const named = (name: string) => json({ $ref: `#/components/schemas/${name}` });
const tag = { required: true, schema: { type: 'string' } };
const shown = (name: string, headers: object = {}) => ({
  200: { description: 'It.', headers, content: named(name) },
  ...errors,
});
const made = (name: string, headers: object = {}) => ({
  201: { description: 'Created.', headers, content: named(name) },
  ...errors,
});
const pageOf = (name: string) => ({
  200: {
    description: 'A page.',
    content: json({
      type: 'object',
      required: ['items', 'next'],
      properties: {
        items: { type: 'array', items: { $ref: `#/components/schemas/${name}` } },
        next: { type: ['string', 'null'], description: 'The cursor of the next page.' },
      },
      additionalProperties: false,
    }),
  },
  ...errors,
});
const parameter = (location: string, name: string, schema: object, required = location === 'path') => ({
  ...{ name, in: location, required, schema },
});
const id = (name: string) => parameter('path', name, { type: 'string', minLength: 1, maxLength: 20 });
const tenant = parameter('header', 'X-Tenant', { type: 'string', minLength: 1, maxLength: 20 }, true);
const page = [
  parameter('query', 'limit', { type: 'integer', minimum: 1, maximum: 50, default: 20 }),
  parameter('query', 'cursor', { type: 'string', minLength: 1, maxLength: 60 }),
];
const location = { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } };
const text = (minLength: number, maxLength: number) => ({ type: 'string', minLength, maxLength });
const closed = (required: string[], properties: object) => ({
  type: 'object',
  required: ['id', ...required],
  properties: { id: { type: 'string', readOnly: true }, ...properties },
  additionalProperties: false,
});

/** An archive for several tenants: collections with boxes with objects, of which scans are uploaded, and rooms. */
export const archiveContract = {
  openapi: '3.1.0',
  info: { title: 'Archive', version: '1.0.0' },
  security: [{ token: [] }],
  paths: {
    '/collections': {
      parameters: [tenant],
      get: { operationId: 'listCollections', parameters: page, responses: pageOf('Collection') },
      post: {
        operationId: 'createCollection',
        parameters: [parameter('header', 'Idempotency-Key', text(1, 40), true)],
        requestBody: { required: true, content: named('Collection') },
        responses: made('Collection', location),
      },
    },
    '/collections/{collectionId}': {
      parameters: [tenant, id('collectionId')],
      get: { operationId: 'getCollection', responses: shown('Collection', { ETag: tag }) },
      head: {
        operationId: 'headCollection',
        responses: { 200: { description: 'It exists.', headers: { ETag: tag } }, ...errors },
      },
      patch: {
        operationId: 'changeCollection',
        parameters: [parameter('header', 'If-Match', text(1, 60), true)],
        requestBody: {
          required: true,
          content: {
            'application/merge-patch+json': { schema: { $ref: '#/components/schemas/CollectionPatch' } },
          },
        },
        responses: {
          ...shown('Collection', { ETag: tag }),
          412: error('It has changed.'),
          428: error('If-Match is missing.'),
        },
      },
      delete: {
        operationId: 'deleteCollection',
        responses: { 204: { description: 'Deleted.' }, ...errors },
      },
    },
    '/collections/{collectionId}/boxes': {
      parameters: [tenant, id('collectionId')],
      post: {
        operationId: 'createBox',
        requestBody: { required: true, content: named('Box') },
        responses: made('Box'),
      },
    },
    '/collections/{collectionId}/boxes/{boxId}/objects': {
      parameters: [tenant, id('collectionId'), id('boxId')],
      get: { operationId: 'listObjects', parameters: page, responses: pageOf('Object') },
      post: {
        operationId: 'createObject',
        requestBody: { required: true, content: named('Object') },
        responses: made('Object', location),
      },
    },
    '/collections/{collectionId}/boxes/{boxId}/objects/{objectId}': {
      parameters: [tenant, id('collectionId'), id('boxId'), id('objectId')],
      get: { operationId: 'getObject', responses: shown('Object') },
      put: {
        operationId: 'replaceObject',
        requestBody: { required: true, content: named('Object') },
        responses: shown('Object'),
      },
      delete: { operationId: 'deleteObject', responses: { 204: { description: 'Deleted.' }, ...errors } },
    },
    '/collections/{collectionId}/boxes/{boxId}/objects/{objectId}/scans': {
      parameters: [tenant, id('collectionId'), id('boxId'), id('objectId')],
      post: {
        operationId: 'uploadScan',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['file'],
                properties: { file: { type: 'string', format: 'binary' }, caption: text(1, 40) },
              },
            },
          },
        },
        responses: made('Scan'),
      },
    },
    '/rooms': {
      parameters: [tenant],
      post: {
        operationId: 'addRoom',
        responses: {
          ...errors,
          201: {
            description: 'Added.',
            content: json({ type: 'object', properties: { name: { type: 'string' } } }),
            links: { shelf: { operationId: 'getShelf', parameters: { shelf: '$response.body#/name' } } },
          },
        },
      },
    },
    '/places/shelf/{shelf}': {
      parameters: [tenant, id('shelf')],
      get: { operationId: 'getShelf', responses: { 200: { description: 'There.' }, ...errors } },
    },
  },
  components: {
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    schemas: {
      Collection: closed(['name', 'created_at'], {
        created_at: { type: 'string', format: 'date-time', readOnly: true },
        name: text(1, 30),
        note: text(1, 60),
        access: { type: 'string', enum: ['public', 'staff'] },
        shelves: { type: 'integer', minimum: 0, maximum: 500 },
      }),
      CollectionPatch: {
        type: 'object',
        minProperties: 1,
        properties: {
          name: text(1, 30),
          note: text(1, 60),
          shelves: { type: 'integer', minimum: 0, maximum: 500 },
        },
        additionalProperties: false,
      },
      Box: closed(['label'], { label: text(1, 20) }),
      Object: closed(['title', 'size'], {
        title: text(1, 30),
        year: { type: 'integer', minimum: 1, maximum: 2100 },
        size: {
          type: 'object',
          required: ['width', 'unit'],
          properties: {
            width: { type: 'integer', minimum: 1, maximum: 9999 },
            unit: {
              type: 'object',
              required: ['symbol'],
              properties: { symbol: { type: 'string', enum: ['mm', 'cm', 'in'] } },
              additionalProperties: false,
            },
          },
          additionalProperties: false,
        },
      }),
      Scan: closed(['bytes'], { bytes: { type: 'integer' }, caption: { type: 'string' } }),
      Problem: {
        type: 'object',
        required: ['title'],
        properties: { title: { type: 'string' } },
        additionalProperties: false,
      },
    },
  },
};
