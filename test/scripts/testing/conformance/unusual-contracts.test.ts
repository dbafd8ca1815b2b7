import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { createMockServer } from '../../../../scripts/contract/mock-server/server.ts';
import { mockConformance, tools } from '../../../../scripts/lab/public-contracts/tools.ts';
import { startListening } from '../../../support/start-listening.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const ok = { 200: { description: 'Yes.', ...json({ type: 'object' }) } };
const rejected = { 422: { description: 'No.' } };
const get = (path: string, operation: object) => ({
  paths: { [path]: { get: { responses: { ...ok, ...rejected }, ...operation } } },
});
const post = (content: object) => ({
  paths: { '/a': { post: { requestBody: { required: true, content }, responses: { ...ok, ...rejected } } } },
});
const texts = { type: 'array', items: { type: 'string' } };
const idOfPet = { name: 'petId', in: 'path', required: true, schema: { type: 'integer' } };
const branch = (name: string) => ({
  type: 'object',
  properties: { name: { type: 'string' }, [name]: texts },
});

// Each was found in public documents.
const contracts: Record<string, { openapi?: string; [member: string]: unknown }> = {
  'names of query parameters with brackets': get('/a', {
    parameters: [
      { name: 'fields[]', in: 'query', schema: texts },
      { name: 'page[size]', in: 'query', schema: { type: 'integer', minimum: 1 } },
    ],
  }),
  'a media type with a charset': post({ 'application/json;charset=UTF-8': { schema: { type: 'object' } } }),
  'a derived operation ID that another operation has': {
    paths: {
      '/a': {
        get: { operationId: 'getB', responses: { 200: { description: 'A.', ...json({ type: 'string' }) } } },
      },
      '/b': { get: { responses: { 200: { description: 'B.', ...json({ type: 'integer' }) } } } },
      '/{b}': {
        get: {
          parameters: [{ name: 'b', in: 'path', required: true, schema: { type: 'boolean' } }],
          responses: {
            200: { description: 'B.', ...json({ type: 'boolean' }) },
            422: { description: 'No.' },
          },
        },
      },
    },
  },
  'headers of the message on the wire': get('/a', {
    responses: {
      200: {
        ...ok[200],
        headers: {
          'Content-Length': { required: true, schema: { type: 'integer', example: 7 } },
          'Transfer-Encoding': { schema: { type: 'string', example: 'chunked' } },
          'Content-Encoding': { schema: { type: 'string', example: 'gzip' } },
          Connection: { schema: { type: 'string', example: 'keep-alive' } },
          'Content-Type': { schema: { type: 'string', example: 'application/json;v=1' } },
          'cache-control': { required: true, schema: { type: 'string', enum: ['max-age=60'] } },
        },
      },
    },
  }),
  'a header that errors require': get('/a', {
    parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }],
    responses: {
      ...ok,
      default: {
        description: 'No.',
        headers: { 'X-Server': { required: true, schema: { type: 'string' } } },
      },
    },
  }),
  'an API key in the header of other credentials': {
    paths: {
      '/a': { get: { security: [{ key: [] }], responses: ok } },
      '/b': { get: { security: [{ basic: [] }], responses: ok } },
    },
    components: {
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'Authorization' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
  },
  'a required object of any query parameters': get('/a', {
    parameters: [
      {
        ...{ name: 'filters', in: 'query', required: true },
        schema: { type: 'object', additionalProperties: { type: 'string' } },
      },
    ],
  }),
  'a query parameter that is a text or a list': get('/a', {
    parameters: [{ name: 'time', in: 'query', schema: { oneOf: [{ type: 'string', minLength: 1 }, texts] } }],
  }),
  'a text as the required body': post({ 'text/plain': { schema: { type: 'string' } } }),
  'a form that is one of several': post({
    'application/x-www-form-urlencoded': { schema: { oneOf: [branch('one'), branch('other')] } },
  }),
  'a parameter of another operation': {
    paths: {
      '/pets/{petId}': { get: { parameters: [idOfPet], responses: { ...ok, ...rejected } } },
      '/pets/{petId}/owner': {
        get: {
          parameters: [{ $ref: '#/paths/~1pets~1{petId}/get/parameters/0' }],
          responses: { ...ok, ...rejected },
        },
      },
    },
  },
  'a pattern between slashes': get('/a', {
    responses: { 200: { description: 'Yes.', ...json({ type: 'string', pattern: '/^[0-9]{4}$/' }) } },
  }),
  'a path that another one takes for a parameter': {
    paths: {
      '/services/{name}': {
        get: {
          parameters: [
            {
              name: 'name',
              in: 'path',
              required: true,
              schema: { type: 'string', enum: ['asana', 'slack'] },
            },
          ],
          responses: { ...ok, ...rejected },
        },
      },
      '/services/asana': { put: { responses: ok } },
    },
  },
  'branches that differ only by a format that allows every text': get('/a', {
    responses: {
      200: {
        description: 'Yes.',
        ...json({ oneOf: [{ type: 'string' }, { type: 'string', format: 'byte' }] }),
      },
    },
  }),
  'an extension in the list of paths': { paths: { '/a': { get: { responses: ok } }, 'x-root': '/v1' } },
  'a media type without a slash': get('/a', {
    responses: { 200: { description: 'Yes.', content: { data: { schema: { type: 'object' } } } } },
  }),
  'an example of an error that does not fit': get('/a', {
    responses: {
      400: {
        description: 'No.',
        content: { 'application/json': { schema: { type: 'object' }, example: '{"code": 1}' } },
      },
    },
  }),
  'large integers in a form': post({
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        required: ['id'],
        properties: { id: { type: 'integer', format: 'int64', maximum: 2 ** 63 } },
      },
    },
  }),
  'a parameter that an operation overrides': {
    paths: {
      '/a/{id}': {
        parameters: [{ $ref: '#/components/parameters/Id' }],
        get: {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
          responses: { ...ok, ...rejected },
        },
        put: { responses: { ...ok, ...rejected } },
      },
    },
    components: {
      parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer' } } },
    },
  },
  'an API key in the query in addition to other credentials': {
    paths: {
      '/a': {
        get: {
          security: [{ token: [], key: [] }],
          parameters: [{ name: 'q', in: 'query', schema: texts }],
          responses: { ...ok, ...rejected },
        },
      },
    },
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'query', name: 'client_id' },
      },
    },
  },
  'a time in an object in the query': get('/a', {
    parameters: [
      {
        ...{ name: 'filter', in: 'query', style: 'deepObject' },
        schema: {
          type: 'object',
          required: ['since'],
          properties: { since: { type: 'string', format: 'date-time' } },
        },
      },
    ],
  }),
  'a closed object in the query': get('/a', {
    parameters: [
      {
        ...{ name: 'filter', in: 'query', style: 'deepObject' },
        schema: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
      },
    ],
  }),
  'two parameters with a dot between them': get('/a/{name}.{extension}', {
    parameters: [
      { name: 'name', in: 'path', required: true, schema: { type: 'string', enum: ['1.5,2.5', 'x'] } },
      { name: 'extension', in: 'path', required: true, schema: { type: 'string', enum: ['json', 'xml'] } },
    ],
  }),
  'an example beyond the integers of JavaScript': get('/a', {
    responses: {
      200: {
        description: 'Yes.',
        content: {
          'application/json': {
            schema: { type: 'object', properties: { id: { type: 'integer', format: 'int64' } } },
            example: { id: 2 ** 60 },
          },
        },
      },
    },
  }),
  'a parameter whose media type is a range': get('/a/{id}', {
    parameters: [
      {
        ...{ name: 'id', in: 'path', required: true },
        content: { '*/*': { schema: { type: 'string', format: 'uuid' } } },
      },
    ],
  }),
  'a time in the body': post({
    'application/json': {
      schema: { type: 'object', properties: { at: { type: 'string', format: 'time' } } },
    },
  }),
  'open objects of which exactly one may match': {
    ...get('/a', {
      responses: {
        200: {
          description: 'Yes.',
          ...json({
            oneOf: [{ $ref: '#/components/schemas/Episode' }, { $ref: '#/components/schemas/Podcast' }],
          }),
        },
      },
    }),
    components: {
      schemas: {
        Title: { type: 'string' },
        Found: { type: 'object', properties: { id: { type: 'integer' } } },
        Episode: {
          allOf: [{ $ref: '#/components/schemas/Found' }],
          properties: { title: { type: 'string' } },
        },
        Podcast: {
          allOf: [{ $ref: '#/components/schemas/Found' }],
          properties: { title: { $ref: '#/components/schemas/Title' }, episodes: { type: 'array' } },
        },
      },
    },
  },
  'open objects of which a discriminator selects one': {
    ...post({
      'application/json': {
        schema: {
          oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
          discriminator: { propertyName: 'kind', mapping: { cat: '#/components/schemas/Cat' } },
        },
      },
    }),
    components: {
      schemas: {
        Cat: {
          type: 'object',
          required: ['kind'],
          properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
        },
        Dog: { type: 'object', required: ['kind'], properties: { kind: { type: 'string' }, tricks: texts } },
      },
    },
  },
  'a body that is read-only elsewhere': {
    ...post({
      'application/json': {
        schema: { allOf: [{ $ref: '#/components/schemas/Entity' }], type: 'object', required: ['id'] },
      },
    }),
    components: {
      schemas: { Entity: { type: 'object', readOnly: true, properties: { id: { type: 'integer' } } } },
    },
  },
  'a header that HTTP clients set': {
    paths: {
      '/a': {
        post: {
          parameters: [{ name: 'Content-Length', in: 'header', required: true, schema: { type: 'integer' } }],
          requestBody: { required: true, ...json({ type: 'object' }) },
          responses: { ...ok, ...rejected },
        },
      },
    },
  },
  'a header that is a list': get('/a', {
    responses: {
      200: { ...ok[200], headers: { 'X-Tags': { required: true, schema: { ...texts, minItems: 1 } } } },
    },
  }),
  'an error with a text that its schema does not allow': get('/a', {
    parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }],
    responses: {
      ...ok,
      422: {
        description: 'No.',
        ...json({
          type: 'object',
          required: ['version'],
          properties: { version: { type: 'string', pattern: String.raw`^\d+\.\d+$` } },
        }),
      },
    },
  }),
  'a URI that matches a pattern': get('/a', {
    responses: {
      200: {
        description: 'Yes.',
        ...json({
          type: 'object',
          required: ['link'],
          properties: { link: { type: 'string', format: 'uri', pattern: '.+/version[0-1]$' } },
        }),
      },
    },
  }),
  'a body without a media type': {
    paths: { '/a': { delete: { requestBody: { content: { '': { schema: {} } } }, responses: ok } } },
  },
  'a header parameter without a name': get('/a', {
    parameters: [{ name: '', in: 'header', schema: { type: 'string' } }],
  }),
  'a keyword next to a reference, which OpenAPI 3.0 ignores': {
    openapi: '3.0.3',
    paths: {
      '/a': {
        get: {
          responses: {
            200: {
              description: 'Yes.',
              ...json({ type: 'object', $ref: '#/components/schemas/Texts' }),
            },
          },
        },
      },
    },
    components: { schemas: { Texts: { ...texts, minItems: 1 } } },
  },
};

async function write(members: object): Promise<string> {
  const file = join(await temporaryFolder(), 'openapi.json');
  const document = { openapi: '3.1.1', info: { title: 'T', version: '1' }, ...members };
  await writeFile(file, JSON.stringify(document));
  return file;
}

test('the mock rejects requests even if no value conforms to the schema of the error', async () => {
  const impossible = { type: 'string', minLength: 2, maxLength: 1 };
  const file = await write(
    get('/a', {
      parameters: [{ name: 'size', in: 'query', schema: { type: 'integer' } }],
      responses: {
        ...ok,
        422: {
          description: 'No.',
          headers: { 'X-No': { required: true, schema: impossible } },
          ...json(impossible),
        },
      },
    }),
  );
  const { server } = await createMockServer({ config: contractConfig, api: file });
  const response = await fetch(`${await startListening(server)}/a?size=x`);
  expect(response.status).toBe(422);
});

test('the code of a contract with shared schemas called like keywords, and a list of itself, compiles', async () => {
  const file = await write({
    ...get('/a', {
      responses: { 200: { description: 'Yes.', ...json({ $ref: '#/components/schemas/title' }) } },
    }),
    components: {
      schemas: {
        title: { type: 'object', properties: { tree: { $ref: '#/components/schemas/summary' } } },
        summary: {
          oneOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/components/schemas/summary' } }],
        },
      },
    },
  });
  expect(await tools.generate?.(file, () => {})).toEqual([]);
});

test.each(Object.entries(contracts))(
  'the mock of a contract with %s conforms to it',
  async (_name, members) => {
    const file = await write(members);
    expect(await mockConformance(await loadContract(file, { onIgnored: () => {} }), 20)).toEqual([]);
  },
);
