import { expect, test } from 'vitest';
import { content, integer, object, reference, responses, string } from '../../support/schemas.ts';
import { servePipeline } from './serve-pipeline.ts';

const kindOf = (kind: string, property: string) =>
  object({ kind: { type: 'string', enum: [kind] }, [property]: integer }, 'kind', property);

/** Serves `POST /shapes`, whose optional body has a discriminator. */
const serve = () => {
  const [circle, square] = [reference('Circle'), reference('Square')];
  const mapping = { circle: circle.$ref, square: square.$ref };
  const shape = { oneOf: [circle, square], discriminator: { propertyName: 'kind', mapping } };
  const post = {
    parameters: [{ name: 'page', in: 'query', schema: integer }],
    requestBody: content(shape),
    responses: { ...responses({}, 200), ...responses(object({ message: string }), 422) },
  };
  const schemas = { Circle: kindOf('circle', 'radius'), Square: kindOf('square', 'side') };
  return servePipeline(
    { components: { schemas }, paths: { '/shapes': { post } } },
    async (_operation, { body }) => ({ status: 200, body: { body } }),
  );
};

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
