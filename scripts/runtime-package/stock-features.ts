/** A feature of express-openapi-validator, as a request to an application in which either middleware stands in front. */
export interface Feature {
  name: string;
  /** What differs, for readers, if the responses differ. */
  difference?: string;
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | FormData;
}

const text = (schema: object) => ({ 'application/json': { schema } });
const ok = (schema: object = {}) => ({ 200: { description: 'Yes.', content: text(schema) } });
const query = (name: string, more: object) => ({ name, in: 'query', ...more });
const form = (properties: object) => ({
  required: true,
  content: {
    'multipart/form-data': { schema: { type: 'object', required: Object.keys(properties), properties } },
  },
});

const account = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', readOnly: true },
    name: { type: 'string' },
    secret: { type: 'string', writeOnly: true },
    size: { type: 'integer', default: 3 },
    at: { type: 'string', format: 'date-time' },
  },
};
const cat = {
  type: 'object',
  required: ['kind', 'lives'],
  properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
};
const dog = {
  type: 'object',
  required: ['kind', 'barks'],
  properties: { kind: { const: 'dog' }, barks: { type: 'boolean' } },
};

const pets = { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' };

/** The contract of the application. */
export const featureContract = {
  openapi: '3.1.0',
  info: { title: 'Features', version: '1.0.0' },
  security: [{ queryKey: [] }, {}],
  paths: {
    '/query': {
      get: {
        operationId: 'getQuery',
        parameters: [
          query('limit', { schema: { type: 'integer', maximum: 100, default: 20 } }),
          query('flag', { schema: { type: 'boolean' } }),
          query('tags', { schema: { type: 'array', items: { type: 'integer' } } }),
          query('pipes', {
            style: 'pipeDelimited',
            explode: false,
            schema: { type: 'array', items: { type: 'integer' } },
          }),
          query('ids', { explode: false, schema: { type: 'array', items: { type: 'integer' } } }),
          query('words', { explode: false, schema: { type: 'array', items: { type: 'string' } } }),
          query('since', { schema: { type: 'string', format: 'date-time' } }),
          query('on', { schema: { type: 'string', format: 'date' } }),
          query('price', { schema: { type: 'number', multipleOf: 0.01 } }),
          query('json', { content: text({ type: 'object', required: ['a'] }) }),
        ],
        responses: ok(),
      },
    },
    '/filtered': {
      get: {
        operationId: 'getFiltered',
        parameters: [
          query('filter', {
            style: 'deepObject',
            schema: { type: 'object', properties: { min: { type: 'integer' } } },
          }),
        ],
        responses: ok(),
      },
    },
    '/items/{id}': {
      get: {
        operationId: 'getItem',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
          { name: 'X-Trace', in: 'header', schema: { type: 'string', maxLength: 3 } },
          { name: 'theme', in: 'cookie', schema: { enum: ['dark', 'light'] } },
        ],
        responses: ok(),
      },
    },
    '/accounts': {
      post: {
        operationId: 'createAccount',
        requestBody: { required: true, content: text(account) },
        responses: ok(account),
      },
    },
    '/pets': {
      post: {
        operationId: 'createPet',
        requestBody: {
          required: true,
          content: text({
            oneOf: Object.values(pets).map(($ref) => ({ $ref })),
            discriminator: { propertyName: 'kind', mapping: pets },
          }),
        },
        responses: ok(),
      },
    },
    '/files': {
      post: {
        operationId: 'addFile',
        requestBody: form({ title: { type: 'string' }, file: { type: 'string', format: 'binary' } }),
        responses: ok(),
      },
    },
    '/bodiless': { post: { operationId: 'postNothing', security: [], responses: ok() } },
    '/key': { get: { operationId: 'getKey', security: [{ key: [] }, { queryKey: [] }], responses: ok() } },
    '/answers/{what}': {
      get: {
        operationId: 'getAnswer',
        parameters: [{ name: 'what', in: 'path', required: true, schema: { type: 'string' } }],
        responses: ok({ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }),
      },
    },
  },
  components: {
    schemas: { Cat: cat, Dog: dog },
    securitySchemes: {
      key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      queryKey: { type: 'apiKey', in: 'query', name: 'api_key' },
    },
  },
};

const post = (path: string, body: unknown, headers = { 'Content-Type': 'application/json' }) => ({
  method: 'POST',
  path,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

function upload(fields: Record<string, string | Blob>): Pick<Feature, 'method' | 'path' | 'body'> {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return { method: 'POST', path: '/files', body };
}

/** The features, by the requests that show them. */
export const features: Feature[] = [
  { name: 'numbers and booleans of the query are converted', path: '/query?limit=7&flag=true' },
  { name: 'defaults of the query are set', path: '/query' },
  { name: 'a limit of the query is enforced', path: '/query?limit=101' },
  { name: 'an undocumented query parameter is rejected', path: '/query?other=1' },
  {
    name: 'a date that does not exist is rejected',
    difference: 'express-openapi-validator accepts 2030-02-31, and even 2030-13-01',
    path: '/query?on=2030-13-01',
  },
  {
    name: 'decimals are exact',
    difference: 'express-openapi-validator rejects 19.99 as a multiple of 0.01',
    path: '/query?price=19.99',
  },
  { name: 'lists of the query are converted', path: '/query?tags=1&tags=2' },
  { name: 'one value of a list is a list', path: '/query?tags=1' },
  { name: 'pipeDelimited lists are converted', path: '/query?pipes=1%7C2' },
  {
    name: 'an encoded comma belongs to the value',
    difference:
      'with `explode: false`, express-openapi-validator reads `ids=1%2C2` as two IDs. `URLSearchParams` sends such commas',
    path: '/query?ids=1%2C2',
  },
  {
    name: 'a repeated parameter with `explode: false` is rejected',
    difference: 'express-openapi-validator reads a list',
    path: '/query?ids=1&ids=2',
  },
  {
    name: 'an empty value with `explode: false` is a list of one empty text, as RFC 6570 writes it',
    difference: 'express-openapi-validator rejects `words=`',
    path: '/query?words=',
  },
  {
    name: 'integers are digits, and exact',
    difference:
      'express-openapi-validator accepts `1.0`, `010`, `0x5`, `1e0`, `%2B5`, `%201`, and more than 2^53',
    path: '/query?limit=1.0',
  },
  {
    name: 'an unencoded timestamp passes',
    difference: 'express-openapi-validator rejects `since=2030-01-01T00:00:00Z`',
    path: '/query?since=2030-01-01T00:00:00Z',
  },
  {
    name: '`+` is a space, as forms write it',
    difference: 'express-openapi-validator rejects `words=a+b`',
    path: '/query?words=a+b',
  },
  {
    name: 'the name `__proto__` is rejected',
    difference: 'express-openapi-validator ignores it in a query',
    path: '/query?__proto__[a]=1',
  },
  { name: 'deepObject is converted', path: '/filtered?filter%5Bmin%5D=4' },
  {
    name: 'an absent deepObject is absent',
    difference: 'express-openapi-validator passes an empty object',
    path: '/filtered',
  },
  {
    name: 'a deepObject without brackets is rejected',
    difference: 'express-openapi-validator reads `filter` as an empty object',
    path: '/filtered?filter',
  },
  { name: 'JSON in the query is parsed', path: `/query?json=${encodeURIComponent('{"a":1}')}` },
  { name: 'JSON in the query is validated', path: `/query?json=${encodeURIComponent('{"b":1}')}` },
  { name: 'an unescaped reserved character is rejected', path: '/query?tags=1&limit=5:' },
  { name: 'path parameters are validated', path: '/items/x' },
  { name: 'path parameters are converted', path: '/items/1' },
  { name: 'headers are validated', path: '/items/1', headers: { 'X-Trace': 'long' } },
  {
    name: 'cookies are validated',
    difference: 'express-openapi-validator does it only behind `cookie-parser`',
    path: '/items/1',
    headers: { cookie: 'theme=pink' },
  },
  { name: 'a valid body passes, and gets its defaults', ...post('/accounts', { name: 'a' }) },
  { name: 'an invalid body is rejected', ...post('/accounts', { name: 1 }) },
  {
    name: 'a missing body is rejected',
    difference: '400 instead of 415',
    method: 'POST',
    path: '/accounts',
  },
  { name: 'JSON that cannot be parsed is rejected', ...post('/accounts', '{') },
  { name: 'an additional property is rejected', ...post('/accounts', { name: 'a', x: 1 }) },
  { name: 'a readOnly property in a request is rejected', ...post('/accounts', { name: 'a', id: 1 }) },
  { name: 'a writeOnly property in a response is rejected', ...post('/accounts', { name: 'leak' }) },
  { name: 'a date of a response is written as text', ...post('/accounts', { name: 'date' }) },
  {
    name: 'a body of another media type is rejected',
    ...post('/accounts', 'a', { 'Content-Type': 'text/plain' }),
  },
  { name: 'a body that the contract does not document stays', ...post('/bodiless', { name: 'a' }) },
  { name: 'a discriminator selects the schema', ...post('/pets', { kind: 'dog', barks: true }) },
  { name: 'a body that violates that schema is rejected', ...post('/pets', { kind: 'dog', lives: 9 }) },
  { name: 'files are uploaded', ...upload({ title: 'a', file: new Blob(['x']) }) },
  { name: 'a missing file is rejected', ...upload({ title: 'a' }) },
  { name: 'a text passes for a file', ...upload({ title: 'a', file: 'x' }) },
  { name: 'missing credentials are rejected', path: '/key' },
  { name: 'the key of all operations passes where none is needed', ...post('/bodiless?api_key=k', {}) },
  {
    name: 'a repeated API key is rejected',
    difference:
      '400, unless `authenticate` rejects it; express-openapi-validator leaves it to the security handler',
    path: '/key?api_key=a&api_key=b',
  },
  { name: 'credentials pass', path: '/key', headers: { 'X-Key': 'k' } },
  { name: 'a valid response passes', path: '/answers/valid' },
  { name: 'an invalid response becomes an error', path: '/answers/invalid' },
  { name: 'an undocumented status becomes an error', path: '/answers/status' },
  {
    name: 'an undocumented media type of a response becomes an error',
    difference: 'express-openapi-validator sends it',
    path: '/answers/text',
  },
  { name: 'an undocumented path is rejected', path: '/nothing' },
  { name: 'an undocumented method is rejected', method: 'DELETE', path: '/query' },
  { name: 'ignored paths are left alone', path: '/ignored' },
];
