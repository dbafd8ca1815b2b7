import { expect, test } from 'vitest';
import { chooseOperations } from '../../../../scripts/testing/conformance/choose-operations.ts';
import { destructionBy } from '../../../../scripts/testing/conformance/destructive-operations.ts';
import { operationsOf } from '../../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { contractOf } from '../../../support/documents.ts';

const operation = (operationId: string, more: object = {}) => ({ operationId, responses: {}, ...more });
const document = {
  paths: {
    '/users': { get: operation('listUsers'), post: operation('addUser') },
    '/users/{id}': { get: operation('getUser'), delete: operation('removeUser') },
    '/admin/users/{userId}/lock': { post: operation('lock*') },
    '/admin/stats': { get: operation('stats') },
  },
};
const operations = operationsOf(createSchemaContext(document));

const chosen = (only: string[], exclude: string[] = []) =>
  chooseOperations(operations, { only, exclude }).chosen.map(({ id }) => id);

test.each([
  ['addUser', ['addUser']],
  ['get /users/{user}', ['getUser']],
  ['/users', ['listUsers', 'addUser']],
  ['/admin/*', ['lock*', 'stats']],
  ['* /*/lock', ['lock*']],
  ['*User', ['addUser', 'getUser', 'removeUser']],
  ['lock*', ['lock*']],
  ['GET /*t*s', ['stats']],
])('chooses operations by name: %s', (name, ids) => {
  expect(chosen([name])).toEqual(ids);
  expect(chosen([], [name])).toEqual(operations.map(({ id }) => id).filter((id) => !ids.includes(id)));
});

test.each([
  ['adUser', '--only adUser: the contract has no operation adUser. The nearest ones: addUser, getUser, '],
  ['PATCH /users/{id}', 'The nearest ones: GET /users/{id}, '],
  ['/nothing/*', 'The nearest ones: '],
])('names the nearest operations of an unknown one: %s', (name, told) => {
  expect(() => chosen([name])).toThrow(told);
});

test('compares a long pattern with many asterisks in linear time', () => {
  const long = { ...operations[0], id: 'a'.repeat(200_000), path: `/${'a'.repeat(200_000)}` };
  const all = operations.map((each) => ({ ...each, ...long }));
  const before = performance.now();
  expect(() => chooseOperations(all, { only: [`/${'*a'.repeat(50_000)}*b`], exclude: [] })).toThrow(
    'no operation',
  );
  expect(performance.now() - before).toBeLessThan(10_000);
});

const destroyed = (method: string, path: string, more: object = {}) => {
  const [first] = contractOf({
    paths: { [path]: { [method]: { operationId: 'x', responses: {}, ...more } } },
  }).operations;
  return first && destructionBy(first);
};

test.each([
  ['post', '/keys/{id}/rotate', {}, 'credentials'],
  ['post', '/session', { operationId: 'logOut' }, 'credentials'],
  ['get', '/logout', {}, 'credentials'],
  ['delete', '/sessions/{id}', {}, 'credentials'],
  ['post', '/x', { summary: 'Revoke the token' }, 'credentials'],
  ['post', '/x', { operationId: 'deleteAllUsers' }, 'data'],
  ['post', '/x', { description: 'Deletes every order.' }, 'data'],
  ['post', '/database/reset', {}, 'data'],
  ['delete', '/orders', {}, 'data'],
  ['post', '/admin/shut-down', {}, 'service'],
  ['post', '/x', { description: 'Stops the service.' }, 'service'],
  ['get', '/tokens/{revoke}', {}, undefined],
  ['get', '/resets', { operationId: 'resetReport' }, undefined],
  ['delete', '/orders/{id}', {}, undefined],
  ['post', '/orders', { description: 'Returns 401 if the token was revoked. Never resets it.' }, undefined],
])('recognizes what an operation destroys: %s %s %j', (method, path, more, destroys) => {
  expect(destroyed(method, path, more)).toBe(destroys);
});
