import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';
import { oneOperation } from './one-operation.ts';

const parameter = (schema: object) =>
  oneOperation({ parameters: [{ name: 'f', in: 'query', schema }], request: { type: 'object' } });
const text = { type: 'string' };
const named = (properties: object) => ({ type: 'object', properties });

test('reports a removed path whose requests reach another operation of the revision', async () => {
  const item = { get: { responses: { 204: { description: '' } } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
  const paths = (all: object) => oneOperation({ paths: all });
  const byId = { '/books/{id}': { parameters, ...item } };
  const { breaking } = await compareContracts(
    paths({ ...byId, '/books/mine': item }),
    paths(byId),
    '2026-11-22',
  );
  expect(breaking.map(({ proof }) => proof)).toEqual([
    {
      kind: 'request',
      seen: {
        curl: "curl -i --path-as-is 'http://127.0.0.1:4010/books/mine'",
        base: 'accepted',
        revision: 'accepted as a request of /books/{}',
      },
    },
  ]);
});

test('does not call a change breaking because another change of the body is', async () => {
  const body = (pattern: string, maxLength: number) =>
    oneOperation({ request: named({ a: { type: 'string', pattern }, b: { type: 'string', maxLength } }) });
  const { breaking, undecided } = await compareContracts(
    body('^[a-z]+$', 9),
    body('^[a-z]{1,}$', 8),
    '2026-11-22',
  );
  expect(breaking.map(({ message }) => message)).toEqual([expect.stringContaining('maxLength')]);
  expect(undecided.map(({ message }) => message)).toEqual([expect.stringContaining('pattern')]);
});

test('compares contracts that cannot be compiled, although no request can be tried', async () => {
  const servers = [
    { url: '/{a}', variables: { a: { default: '0', enum: Array.from({ length: 200 }, (_, n) => `${n}`) } } },
  ];
  const { breaking } = await compareContracts(
    { ...parameter(text), servers },
    { ...oneOperation({ request: { type: 'object' } }), servers },
    '2026-11-22',
  );
  expect(breaking.map(({ rule, proof }) => [rule, proof.kind])).toEqual([['parameter-removed', 'compared']]);
});
