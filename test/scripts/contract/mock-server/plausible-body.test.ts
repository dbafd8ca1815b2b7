import { expect, test } from 'vitest';
import { coherentBody } from '../../../../scripts/contract/mock-server/generated-response.ts';
import { createValues } from '../../../../scripts/contract/mock-server/generated-values.ts';
import { schemasOf, schemasOfProperty } from '../../../../scripts/contract/mock-server/map-body.ts';
import { readExamples } from '../../../../scripts/contract/mock-server/read-examples.ts';
import type { JsonSchema } from '../../../../scripts/testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { contractOf } from '../../../support/documents.ts';
import { schemasInCycles } from '../../../support/schemas-in-cycles.ts';

const context = createSchemaContext({});
const bodies = (schema: JsonSchema, count = 40) =>
  Array.from({ length: count }, (_, seed) => createValues(context).body(schema, [seed]));

const object = (properties: Record<string, JsonSchema>) => ({
  type: 'object',
  required: Object.keys(properties),
  additionalProperties: false,
  properties,
});

test.each<[string, JsonSchema, RegExp]>([
  ['name', { type: 'string' }, /^[A-Z][a-z]+$/],
  ['first_name', { type: 'string', maxLength: 3 }, /^[A-Z][a-z]{1,2}$/],
  ['contact', { type: 'string', format: 'email' }, /^[a-z]+@example\.com$/],
  ['website', { type: 'string' }, /^https:\/\/example\.com\/[a-z]+$/],
  ['description', { type: 'string' }, /^[A-Z][a-z ]+\.$/],
  ['color', { type: 'string', minLength: 12 }, /^[a-z .]{12,}$/],
  ['plate', { type: 'string', pattern: '^[A-Z]{2}-[0-9]{2}$' }, /^[A-Z]{2}-\d\d$/],
  ['next_cursor', { type: ['string', 'null'] }, /^([0-9a-z]{5,7}|null)$/],
  ['created', { type: 'string', format: 'date-time' }, /^2025-\d\d-\d\dT\d\d:\d\d:00\.000Z$/],
  ['price', { type: 'number' }, /^\d{1,2}(\.5)?$/],
  ['price', { type: 'number', multipleOf: 0.01, exclusiveMinimum: 0 }, /^0\.\d\d?$|^1$/],
  ['offset', { type: 'integer', maximum: -5 }, /^-\d{1,3}$/],
  ['count', { type: 'integer', minimum: 7, maximum: 9 }, /^[789]$/],
])('a generated %s that is %j can be read', (name, schema, readable) => {
  const shape = object({ [name]: schema });
  for (const body of bodies(shape)) {
    expect(context.isValid(shape, body)).toBe(true);
    expect(String(Reflect.get(Object(body), name))).toMatch(readable);
  }
});

test.each<[JsonSchema, number, number]>([
  [{ type: 'array', items: { type: 'string' } }, 1, 3],
  [{ type: 'array', uniqueItems: true, items: { type: 'string' } }, 1, 3],
  [{ type: 'array', maxItems: 0, items: { type: 'string' } }, 0, 0],
  [{ type: 'array', minItems: 5, uniqueItems: true, items: { type: 'integer' } }, 5, 5],
])('a generated list of %j has from %i to %i items', (schema, least, most) => {
  for (const body of bodies(schema)) {
    expect(context.isValid(schema, body)).toBe(true);
    expect(Object(body).length).toBeGreaterThanOrEqual(least);
    expect(Object(body).length).toBeLessThanOrEqual(most);
  }
});

test('a generated object has only declared properties, unless none are', () => {
  const name = { type: 'string' };
  for (const body of bodies({ type: 'object', properties: { name } }))
    expect(Object.keys(Object(body)).filter((each) => each !== 'name')).toEqual([]);
  const counts = { type: 'object', minProperties: 1, additionalProperties: { type: 'integer' } };
  for (const body of bodies(counts)) expect(Object.keys(Object(body)).length).toBeGreaterThan(0);
});

test('lists of a recursive schema end, and equal seeds make equal bodies', () => {
  const tree = createSchemaContext({
    components: {
      schemas: {
        Node: object({ children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } }),
      },
    },
  });
  const made = [1, 1, 2].map((seed) =>
    createValues(tree).body({ $ref: '#/components/schemas/Node' }, [seed]),
  );
  expect(made[0]).toEqual(made[1]);
  for (const body of made) expect(JSON.stringify(body).length).toBeLessThan(50_000);
});

test('a union whose branches lead back to it has small values, and each schema is read once', () => {
  const again = { $ref: '#/components/schemas/Node' };
  const kinds = Array.from({ length: 12 }, (_, index) => `Kind${index}`);
  const schemas = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      {
        type: 'object',
        required: ['kind'],
        properties: {
          kind: { const: kind },
          next: { ...again },
          list: { type: 'array', items: { ...again } },
        },
      },
    ]),
  );
  const oneOf = kinds.map((kind) => ({ $ref: `#/components/schemas/${kind}` }));
  const document = { components: { schemas: { ...schemas, Node: { oneOf } } } };
  const world = createSchemaContext(document);
  const inside = schemasOfProperty(world, schemasOf(world, [again]), 'next');
  expect(new Set(inside).size).toBe(inside.length);
  expect(valuesOf(world, [{ ...again }])).toBe(valuesOf(world, [again]));
  const body = createValues(world).body(again, ['a union']);
  expect(JSON.stringify(body).length).toBeLessThan(50_000);
});

test('bodies of schemas that refer to several others, which lead back, stay small', () => {
  const values = createValues(createSchemaContext(schemasInCycles(30)));
  for (let index = 0; index < 10; index += 1) {
    const body = values.body({ $ref: `#/components/schemas/S${index}` }, [index]);
    expect(JSON.stringify(body).length).toBeLessThan(20_000);
  }
});

test('a generated error has its status and the phrase of it', () => {
  const schema = object({ status: { type: 'integer' }, message: { type: 'string' } });
  const content = { 'application/json': { schema } };
  const responses = {
    204: { description: 'Yes.' },
    412: { description: 'Changed.', content },
    default: { description: 'Failed.', content },
  };
  const { operations, bodies: made } = readExamples(
    contractOf({ paths: { '/a': { get: { operationId: 'getA', responses } } } }),
  );
  const bodyOf = (key: string) => made[operations.getA?.examples[key]?.content[0]?.usual ?? -1];
  expect(bodyOf('412')).toMatchObject({ body: { status: 412, message: 'Precondition Failed' } });
  expect(bodyOf('default')).toMatchObject({ body: { status: 500, message: 'Internal Server Error' } });
});

const id = { type: 'integer', 'x-id-of': 'thread' };
const coherent = (schema: JsonSchema, body: unknown, query = {}) =>
  coherentBody(context, schema, body, query);

test('a list has at most the requested number of items, and its IDs ascend', () => {
  const schema = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } };
  const body = [{ id: 3 }, { id: 1 }, { id: 2 }];
  expect(coherent(schema, body, { per_page: 2 })).toEqual([{ id: 1 }, { id: 2 }]);
  expect(
    coherent({ type: 'object', properties: { data: schema } }, { data: body, total: 3 }, { limit: 1 }),
  ).toEqual({
    data: [{ id: 1 }],
    total: 3,
  });
  expect(coherent({ ...schema, minItems: 3 }, body, { per_page: 2 })).toHaveLength(3);
});

test('references from nested objects to the enclosing object have its ID', () => {
  const message = { type: 'object', properties: { id: { type: 'integer' }, thread_id: id } };
  const schema = {
    type: 'object',
    properties: { id, parent_id: id, messages: { type: 'array', items: message } },
  };
  expect(coherent(schema, { id: 5, parent_id: 6, messages: [{ id: 1, thread_id: 9 }] })).toEqual({
    id: 5,
    parent_id: 6,
    messages: [{ id: 1, thread_id: 5 }],
  });
});
