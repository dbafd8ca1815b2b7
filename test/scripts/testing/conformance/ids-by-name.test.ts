import { expect, test } from 'vitest';
import { idsByName } from '../../../../scripts/testing/conformance/ids-by-name.ts';
import { createResourcePool } from '../../../../scripts/testing/conformance/resource-pool.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';

const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const responses = { 200: { description: 'Yes.' } };
const context = createSchemaContext({
  openapi: '3.1.1',
  paths: {
    '/tickets': { post: { operationId: 'buy', responses } },
    '/tickets/{ticketId}/qr': { get: { operationId: 'qr', parameters: [id('ticketId')], responses } },
    '/orders': { get: { operationId: 'orders', responses } },
    '/shows/{showId}/tickets': { post: { operationId: 'reserve', parameters: [id('showId')], responses } },
  },
});
const operations = operationsOf(context);
const found = (operation: string, body: unknown) =>
  idsByName(operations)(operations.find((each) => each.id === operation) ?? expect.fail(), body);

test.each<[string, string, unknown, string[]]>([
  ['a creation, for a path below the collection', 'buy', { id: 't1' }, ['t1']],
  ['a creation that names it like the parameter', 'buy', { ticketId: 't2', id: 'x' }, ['t2']],
  ['a creation that returns only the ID', 'buy', 't3', ['t3']],
  ['a creation below another resource', 'reserve', { id: 't5' }, ['t5']],
  [
    'another resource that refers to it',
    'orders',
    { data: [{ id: 'o1', ticketId: 't4' }], total: 1 },
    ['t4'],
  ],
  ['another resource that does not', 'orders', [{ id: 'o1' }], []],
])('finds the ID of a ticket in the response of %s', (_name, operation, body, ids) => {
  const tickets = found(operation, body).filter(({ kind }) => kind === '/tickets/');
  expect([...new Set(tickets.map((each) => each.id))]).toEqual(ids);
});

test('an ID that a response only repeats is not that of an existing resource', () => {
  const pool = createResourcePool(operations, context);
  const learn = (id: string, sent: unknown, body: object) => {
    const operation = operations.find((each) => each.id === id) ?? expect.fail();
    const request = { operation, path: {}, query: {}, header: {}, cookie: {} };
    const value = { mediaType: 'application/json', value: sent };
    pool.learn({ ...request, body: value }, { status: 200, headers: {}, text: JSON.stringify(body) });
    pool.settle();
    return pool.known('/tickets/');
  };
  expect(learn('orders', { ticketId: 'made up' }, { ticketId: 'made up' })).toEqual([]);
  expect(learn('buy', { id: 'chosen' }, { id: 'chosen' })).toEqual(['chosen']);
  expect(learn('orders', { ticketId: 'chosen' }, { ticketId: 'chosen' })).toEqual(['chosen']);
});
