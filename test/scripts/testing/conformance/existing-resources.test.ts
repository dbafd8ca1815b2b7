import { expect, test } from 'vitest';
import { idsByName } from '../../../../scripts/testing/conformance/ids-by-name.ts';
import { createResourcePool } from '../../../../scripts/testing/conformance/resource-pool.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { content, documentOf, object, string } from '../../../support/documents.ts';
import { conformanceOf } from './conformance-of.ts';

const id = (name: string) => ({ name, in: 'path', required: true, schema: string });
const yes = { description: 'Yes.', ...content({}) };

test('a resource whose deletion is refused need not be gone', async () => {
  const requestBody = { required: true, ...content(object({ name: string }, 'name')) };
  const document = documentOf({
    '/pets': { post: { operationId: 'create', requestBody, responses: { 201: yes } } },
    '/pets/{petId}': {
      parameters: [id('petId')],
      get: { operationId: 'read', responses: { 200: yes } },
      delete: {
        operationId: 'remove',
        responses: { 204: { description: 'Yes.' }, 403: { description: 'No.' } },
      },
    },
  });
  const { findings } = await conformanceOf(
    document,
    async ({ method }) => ({
      status: { POST: 201, GET: 200 }[method] ?? 403,
      headers: { 'content-type': 'application/json' },
      text: method === 'DELETE' ? '' : '{"id":"pet 1"}',
    }),
    { phases: ['stateful'], runs: 10 },
  );
  expect(findings.map(({ operation, check }) => `${operation} ${check}`)).not.toContain(
    'read gone-after-deletion',
  );
});

test('most requests with a property named like a path parameter name an existing resource, unless they create it', async () => {
  const post = (...names: string[]) => {
    const properties = Object.fromEntries(names.map((name) => [name, { ...string, minLength: 9 }]));
    const requestBody = { required: true, ...content(object(properties, ...names)) };
    return { post: { requestBody, responses: { 201: yes } } };
  };
  const read = { parameters: [id('toolId')], responses: { 200: { description: 'Yes.' } } };
  const document = documentOf({
    '/tools': post('toolId'),
    '/tools/{toolId}': { get: read },
    '/rentals': post('toolId', 'note'),
  });
  const sent: Record<string, unknown[]> = { '/tools': [], '/rentals': [] };
  await conformanceOf(
    document,
    async ({ method, target, body: text = '' }) => {
      if (method !== 'POST') return { status: 200, headers: {}, text: '' };
      sent[target]?.push(JSON.parse(String(text)).toolId);
      return { status: 201, headers: { 'content-type': 'application/json' }, text: '{"id":"tool number 1"}' };
    },
    { phases: ['random'], runs: 40 },
  );
  const share = (path: string) => {
    const all = sent[path] ?? [];
    return all.filter((each) => each === 'tool number 1').length / all.length;
  };
  expect(share('/rentals')).toBeGreaterThan(0.3);
  expect(share('/tools')).toBe(0);
});

const json = { 'content-type': 'application/json' };
const rejected = { description: 'No.', ...content({ type: 'object' }) };

test('a resource that only x-id-of names is created first, also if other operations are tested alone', async () => {
  const memberId = { ...string, 'x-id-of': 'member' };
  const document = documentOf({
    '/members': {
      post: {
        operationId: 'createMember',
        requestBody: content(object({ name: string }, 'name')),
        responses: { 201: { description: 'Yes.', ...content(object({ id: memberId }, 'id')) } },
      },
    },
    '/loans': {
      post: {
        operationId: 'createLoan',
        requestBody: { required: true, ...content(object({ memberId }, 'memberId')) },
        responses: { 201: { description: 'Yes.', ...content(object({ memberId })) }, 404: rejected },
      },
    },
  });
  const { gaps, alsoCalled } = await conformanceOf(
    document,
    async ({ target, body = '' }) =>
      target === '/members'
        ? { status: 201, headers: json, text: '{"id":"member 1"}' }
        : { status: String(body).includes('member 1') ? 201 : 404, headers: json, text: '{}' },
    { phases: ['examples'], only: ['createLoan'], runs: 10 },
  );
  expect([gaps.neverAccepted, alsoCalled]).toEqual([[], ['createMember']]);
});

test('a part of a resource is written before it is read', async () => {
  const responses = { 200: { description: 'Yes.' }, 404: rejected };
  const document = documentOf({
    '/tools': { post: { operationId: 'createTool', responses: { 201: yes } } },
    '/tools/{toolId}/photo': {
      parameters: [id('toolId')],
      get: { operationId: 'readPhoto', responses },
      put: { operationId: 'writePhoto', responses },
    },
  });
  const photos = new Set<string>();
  let created = 0;
  const { gaps } = await conformanceOf(
    document,
    async ({ method, target }) => {
      if (method === 'POST') {
        created += 1;
        return { status: 201, headers: json, text: `{"id":"t${created}"}` };
      }
      if (method === 'PUT') photos.add(target);
      return { status: photos.has(target) ? 200 : 404, headers: json, text: '{}' };
    },
    { phases: ['stateful'], only: ['readPhoto'], runs: 10 },
  );
  expect([gaps.neverAccepted, photos.size]).toEqual([[], 1]);
});

test('rules that explain a conflict are met, and rejections are reported if no request was accepted', async () => {
  const document = documentOf({
    '/loans': {
      post: {
        operationId: 'createLoan',
        requestBody: { required: true, ...content(object({ toolId: string, dueAt: string })) },
        responses: { 201: yes, 409: rejected },
        'x-rules': [
          { fields: ['/dueAt'], rule: 'It is in the future.' },
          { fields: ['/toolId'], rule: 'The tool is free.', stored: true },
        ],
      },
    },
  });
  const rejecting = (message: string) =>
    conformanceOf(document, async () => ({ status: 409, headers: json, text: JSON.stringify({ message }) }), {
      phases: ['examples'],
      runs: 10,
    });
  const { gaps } = await rejecting('dueAt is in the past');
  expect([gaps.rulesNotMet, gaps.neverAccepted]).toEqual([
    ['createLoan: The tool is free.'],
    [
      {
        operation: 'createLoan',
        rejections: [{ status: 409, count: expect.any(Number), body: '{"message":"dueAt is in the past"}' }],
      },
    ],
  ]);
  // A message in an own format may name no property.
  expect((await rejecting('It is lent out')).gaps.rulesNotMet).toEqual(['createLoan: It is in the future.']);
});

test('a resource that was deleted is not used again, although another one names it', async () => {
  const document = documentOf({
    '/pets': { post: { operationId: 'createPet', responses: { 201: yes } } },
    '/pets/{petId}': {
      parameters: [id('petId')],
      delete: { operationId: 'removePet', responses: { 204: { description: 'Yes.' }, 404: rejected } },
    },
    '/visits': { get: { responses: { 200: yes } }, post: { responses: { 201: yes } } },
    '/pets/{petId}/photo': {
      parameters: [id('petId')],
      put: { operationId: 'writePhoto', responses: { 204: { description: 'Yes.' }, 404: rejected } },
      get: { operationId: 'readPhoto', responses: { 204: { description: 'Yes.' }, 404: rejected } },
    },
  });
  const pets = new Map<string, boolean>();
  const { operations } = await conformanceOf(
    document,
    async ({ method, target }) => {
      const [, pet = ''] = /^\/pets\/([^/]+)/.exec(target) ?? [];
      if (target === '/visits') {
        // The last ones are used first.
        const visits = [...pets].toSorted(([, one], [, other]) => Number(other) - Number(one));
        return { status: 200, headers: json, text: JSON.stringify(visits.map(([petId]) => ({ petId }))) };
      }
      if (method === 'POST') pets.set(`p${pets.size}`, true);
      if (method === 'POST') return { status: 201, headers: json, text: `{"id":"p${pets.size - 1}"}` };
      const isThere = pets.get(pet) === true;
      if (method === 'DELETE' && isThere) pets.set(pet, false);
      return { status: isThere ? 204 : 404, headers: isThere ? {} : json, text: isThere ? '' : '{}' };
    },
    { phases: ['stateful'], runs: 10 },
  );
  const readPhoto = operations.find(({ id: each }) => each === 'readPhoto');
  expect([[...pets.values()].includes(false), readPhoto?.valid?.accepted]).toEqual([true, 1]);
});

const responses = { 200: yes };
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
