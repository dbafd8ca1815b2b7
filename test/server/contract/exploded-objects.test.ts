import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import {
  type Implementations,
  implementationNames,
  startImplementations,
} from '../../support/implementations.ts';
import { servePipeline } from './serve-pipeline.ts';

const integer = { type: 'integer' };
const map = (values: object) => ({ type: 'object', additionalProperties: values });
const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const components = {
  schemas: { Counts: map(integer), Point: { type: 'object', properties: { x: integer } } },
};

/** Schemas of a parameter that all accept the property x only if it is an integer. */
const schemas: Record<string, object> = {
  'an open object': map(integer),
  'an open object with a property': { ...map(integer), properties: { a: { type: 'string' } } },
  'an open object with arrays': map({ type: 'array', items: integer }),
  'names that match a pattern': { type: 'object', patternProperties: { '^x': integer } },
  'only names that match a pattern': {
    ...{ type: 'object', patternProperties: { '^x': integer } },
    additionalProperties: false,
  },
  unevaluatedProperties: { type: 'object', unevaluatedProperties: integer },
  'a reference': reference('Counts'),
  'a reference in allOf': { allOf: [reference('Counts')] },
  'an open object in allOf': { type: 'object', allOf: [map(integer)] },
  'an open object in oneOf': { oneOf: [map(integer), { type: 'boolean' }] },
  'a reference in allOf to declared properties': { allOf: [reference('Point')] },
  'declared properties without a type in allOf': { type: 'object', allOf: [{ properties: { x: integer } }] },
};
const names = Object.keys(schemas);

const responses = { '204': { description: 'Done' }, '422': { description: 'Invalid' } };
const pathOf = (parameter: object) => ({
  get: { parameters: [{ name: 'filter', in: 'query', ...parameter }], responses },
});
const contract = (paths: object) => ({
  ...{ openapi: '3.1.1', info: { title: 'Objects', version: '1.0.0' }, components },
  paths,
});

let send: Implementations;
beforeAll(async () => {
  const deep = { style: 'deepObject', explode: true };
  const paths = names.flatMap((name, index) => [
    [`/exploded/${index}`, pathOf({ schema: schemas[name] })],
    [`/deep/${index}`, pathOf({ schema: schemas[name], ...deep })],
  ]);
  send = await startImplementations(
    contract(Object.fromEntries(paths)),
    () => ({ status: 204 }),
    (end) => afterAll(end),
  );
});
describe.each(implementationNames)('%s', (implementation) => {
  test.each(names)('validates the properties of a parameter in the query: %s', async (name) => {
    const at = (path: string) => send[implementation](path).then(({ status }) => status);
    const index = names.indexOf(name);
    expect(await at(`/exploded/${index}?x=7`)).toBe(204);
    for (const query of [
      'x=abc',
      'x=',
      'filter=abc',
      'filter=%7B%22x%22%3A%22abc%22%7D',
      'filter=%7B%7D&x=abc',
    ])
      expect([query, await at(`/exploded/${index}?${query}`)]).toEqual([query, 422]);
    expect(await at(`/deep/${index}?filter[x]=abc`)).toBe(422);
  });
});

test('passes the properties of open objects to the handler, converted, below the name of the parameter', async () => {
  const parameters = [
    { name: 'counts', in: 'query', required: true, schema: map({ type: 'array', items: integer }) },
    { name: 'point', in: 'query', schema: reference('Point') },
    { name: 'page', in: 'query', schema: integer },
    { name: 'deep', in: 'query', style: 'deepObject', explode: true, schema: map(integer) },
  ];
  const ok = { '200': { description: 'Yes.', content: { 'application/json': { schema: {} } } } };
  const base = await servePipeline(
    { components, paths: { '/things': { get: { parameters, responses: ok } } } },
    async (_operation, { query }) => ({ status: 200, body: query }),
  );
  const received = async (query: string) => (await fetch(`${base}/things?${query}`)).json();
  expect(await received('a=1&b=2&b=3&x=4&page=5&deep[a]=6&__proto__=7')).toEqual(
    JSON.parse('{"counts":{"a":[1],"b":[2,3],"__proto__":[7]},"point":{"x":4},"page":5,"deep":{"a":6}}'),
  );
  expect(await received('page=5')).toMatchObject({ counts: {}, page: 5 });
});

test('rejects names that no parameter collects', async () => {
  const point = { name: 'point', in: 'query', schema: { type: 'object', properties: { x: integer } } };
  const counts = { name: 'counts', in: 'query', schema: map(integer) };
  const tags = { name: 'tags', in: 'query', explode: false, schema: { type: 'array', items: integer } };
  const operation = (...parameters: object[]) => ({ get: { parameters, responses } });
  const base = await servePipeline(
    {
      paths: {
        '/objects': operation(point, counts),
        '/lists': operation(tags),
        '/both': operation(tags, counts),
      },
    },
    async () => ({ status: 204 }),
  );
  const at = (path: string) => fetch(base + path).then(({ status }) => status);
  expect(await at('/objects?point=%7B%22x%22%3A1%7D&x=abc')).toBe(422);
  for (const name of ['tags[a]', 'tags[21]', 'tags[a', 'tags['])
    for (const path of ['/lists', '/both'])
      expect([path, name, await at(`${path}?${name}=1`)]).toEqual([path, name, 422]);
  expect(await at('/both?tags=1,2&a=3')).toBe(204);
});

test('disables an operation with a cookie that cannot be read', () => {
  const parameters = [{ name: 'c', in: 'cookie', schema: map(integer) }];
  const document = contract({ '/a': { get: { parameters, responses } } });
  expect(compileContract(document as never).operations).toEqual([
    expect.objectContaining({
      id: 'getA',
      disabled: expect.stringContaining('The cookie c is an exploded object'),
    }),
  ]);
});
