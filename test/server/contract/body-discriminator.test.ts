import { expect, test } from 'vitest';
import { servePipeline } from './serve-pipeline.ts';

const kindOf = (kind: string, property: string) => ({
  type: 'object',
  required: ['kind', property],
  properties: { kind: { type: 'string', enum: [kind] }, [property]: { type: 'integer' } },
});

/** Serves `POST /shapes`, whose optional body has a discriminator. */
const serve = () =>
  servePipeline(
    {
      components: { schemas: { Circle: kindOf('circle', 'radius'), Square: kindOf('square', 'side') } },
      paths: {
        '/shapes': {
          post: {
            parameters: [{ name: 'page', in: 'query', schema: { type: 'integer' } }],
            requestBody: {
              content: {
                'application/json': {
                  schema: {
                    oneOf: [{ $ref: '#/components/schemas/Circle' }, { $ref: '#/components/schemas/Square' }],
                    discriminator: {
                      propertyName: 'kind',
                      mapping: {
                        circle: '#/components/schemas/Circle',
                        square: '#/components/schemas/Square',
                      },
                    },
                  },
                },
              },
            },
            responses: {
              '200': { description: 'Yes.', content: { 'application/json': { schema: {} } } },
              '422': {
                description: 'No.',
                content: {
                  'application/json': {
                    schema: { type: 'object', properties: { message: { type: 'string' } } },
                  },
                },
              },
            },
          },
        },
      },
    },
    async (_operation, { body }) => ({ status: 200, body: { body } }),
  );

test.each([
  ['a fitting body', '{"kind":"circle","radius":1}', 200, { body: { kind: 'circle', radius: 1 } }],
  ['no body', undefined, 200, {}],
  ['a body of another kind', '{"kind":"circle","side":1}', 422, { message: '/radius is required.' }],
  ['an unknown kind', '{"kind":"line"}', 422, { message: '/kind must be one of: circle, square.' }],
  ['no kind', '{}', 422, { message: '/kind is required.' }],
  ['null', 'null', 422, { message: 'body must be an object.' }],
  ['a number', '7', 422, { message: 'body must be an object.' }],
])('validates a body with a discriminator: %s', async (_, body, status, expected) => {
  const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const init: RequestInit = { method: 'POST', headers, ...(body === undefined ? {} : { body }) };
  const response = await fetch(`${await serve()}/shapes`, init);
  expect(response.status).toBe(status);
  expect(await response.json()).toEqual(expected);
});

test('reports an invalid parameter even if the discriminator value in the body is unknown', async () => {
  const response = await fetch(`${await serve()}/shapes?page=x`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"kind":"line"}',
  });
  expect((await response.json()).message).toContain('query/page must be an integer');
});
