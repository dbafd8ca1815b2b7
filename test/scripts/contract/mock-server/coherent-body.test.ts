import { expect, test } from 'vitest';
import { coherentBody } from '../../../../scripts/contract/mock-server/coherent-body.ts';
import type { JsonSchema } from '../../../../scripts/testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';

const context = createSchemaContext({});
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
