import { expect, test } from 'vitest';
import { idsByName } from '../../../../scripts/testing/conformance/ids-by-name.ts';
import { createResourcePool } from '../../../../scripts/testing/conformance/resource-pool.ts';
import { runConformance } from '../../../../scripts/testing/conformance/run.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { contractOf } from '../../../support/contract-of.ts';

const id = (name: string) => ({ name, in: 'path', required: true, schema: { type: 'string' } });
const responses = { 200: { description: 'Yes.' } };
const context = createSchemaContext({
  openapi: '3.1.1',
  paths: {
    '/tickets': { post: { operationId: 'buy', responses } },
    '/tickets/{ticketId}/qr': { get: { operationId: 'qr', parameters: [id('ticketId')], responses } },
    '/orders': { get: { operationId: 'orders', responses } },
  },
});
const operations = operationsOf(context);
const found = (operation: string, body: unknown) =>
  idsByName(operations.find((each) => each.id === operation) ?? expect.fail(), operations, body);

test.each<[string, string, unknown, string[]]>([
  ['a creation, for a path below the collection', 'buy', { id: 't1' }, ['t1']],
  ['a creation that names it like the parameter', 'buy', { ticketId: 't2', id: 'x' }, ['t2']],
  ['a creation that returns only the ID', 'buy', 't3', ['t3']],
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

test('a resource whose deletion is refused need not be gone', async () => {
  const text = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
  const json = (schema: object) => ({ content: { 'application/json': { schema } } });
  const yes = { description: 'Yes.', ...json({}) };
  const { findings } = await runConformance({
    contract: contractOf({
      info: { title: 'T', version: '1' },
      paths: {
        '/pets': {
          post: {
            operationId: 'create',
            requestBody: { required: true, ...json(text) },
            responses: { 201: yes },
          },
        },
        '/pets/{petId}': {
          parameters: [id('petId')],
          get: { operationId: 'read', responses: { 200: yes } },
          delete: {
            operationId: 'remove',
            responses: { 204: { description: 'Yes.' }, 403: { description: 'No.' } },
          },
        },
      },
    }),
    send: async ({ method }) => ({
      status: { POST: 201, GET: 200 }[method] ?? 403,
      headers: { 'content-type': 'application/json' },
      text: method === 'DELETE' ? '' : '{"id":"pet 1"}',
    }),
    ...{ base: 'http://127.0.0.1', credentials: { headers: {}, query: {} }, only: [], exclude: [] },
    ...{ phases: ['stateful'], runs: 10, seed: 7, pause: async () => {} },
  });
  expect(findings.map(({ operation, check }) => `${operation} ${check}`)).not.toContain(
    'read gone-after-deletion',
  );
});

test('most requests with a property named like a path parameter name an existing resource, unless they create it', async () => {
  const body = (...names: string[]) => ({
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: names,
          properties: Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 9 }])),
        },
      },
    },
  });
  const created = { 201: { description: 'Yes.', content: { 'application/json': { schema: {} } } } };
  const sent: Record<string, unknown[]> = { '/tools': [], '/rentals': [] };
  await runConformance({
    contract: contractOf({
      info: { title: 'T', version: '1' },
      paths: {
        '/tools': { post: { requestBody: body('toolId'), responses: created } },
        '/tools/{toolId}': { get: { parameters: [id('toolId')], responses } },
        '/rentals': { post: { requestBody: body('toolId', 'note'), responses: created } },
      },
    }),
    send: async ({ method, target, body: text = '' }) => {
      if (method !== 'POST') return { status: 200, headers: {}, text: '' };
      sent[target]?.push(JSON.parse(String(text)).toolId);
      return { status: 201, headers: { 'content-type': 'application/json' }, text: '{"id":"tool number 1"}' };
    },
    ...{ base: 'http://127.0.0.1', credentials: { headers: {}, query: {} }, only: [], exclude: [] },
    ...{ phases: ['random'], runs: 40, seed: 7, pause: async () => {} },
  });
  const share = (path: string) => {
    const all = sent[path] ?? [];
    return all.filter((each) => each === 'tool number 1').length / all.length;
  };
  expect(share('/rentals')).toBeGreaterThan(0.3);
  expect(share('/tools')).toBe(0);
});
