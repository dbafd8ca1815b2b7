import { expect, test } from 'vitest';
import { diagnoseSizes } from '../../../../scripts/contract/load/diagnose-sizes.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { loadFiles, writeDocument } from '../../../support/documents.ts';

/** Returns a document with callbacks that each refer twice to the callback of another path. */
const callbacks = (count: number, other: (at: number) => number) => ({
  ...chainOf(0, () => ({})),
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const inner = { $ref: `#/paths/~1${other(at)}/post/callbacks/a` };
      const called = { responses: {}, ...(other(at) < count ? { callbacks: { a: inner, b: inner } } : {}) };
      return [`/${at}`, { post: { responses: {}, callbacks: { a: { '{$url}': { post: called } } } } }];
    }),
  ),
});

/** Returns a document with a chain of schemas. */
const chainOf = (length: number, link: (next: object) => object, last: object = { type: 'string' }) => ({
  openapi: '3.1.1',
  info: { title: 'T', version: '1' },
  paths: {},
  components: {
    schemas: Object.fromEntries(
      Array.from({ length }, (_, at) => [
        `S${at}`,
        at === length - 1 ? last : link({ $ref: `#/components/schemas/S${at + 1}` }),
      ]),
    ),
  },
});
const one = (schema: object) => chainOf(1, () => ({}), schema);

const exploding: Record<string, object> = {
  'references in required properties': chainOf(40, (next) => ({
    type: 'object',
    required: ['a', 'b'],
    properties: { a: next, b: next },
  })),
  'references in allOf': chainOf(40, (next) => ({ allOf: [next, next] })),
  'references in oneOf': chainOf(40, (next) => ({ oneOf: [next, { type: 'object', anyOf: [next] }] })),
  'references in conditions': chainOf(40, (next) => ({ if: next, else: next })),
  'references in negations': chainOf(40, (next) => ({ not: { dependentSchemas: { a: next, b: next } } })),
  'lists of lists': chainOf(12, (next) => ({ type: 'array', minItems: 20, items: next })),
  'first items of lists': chainOf(40, (next) => ({ type: 'array', minItems: 2, prefixItems: [next, next] })),
  'contained items': chainOf(40, (next) => ({ type: 'array', contains: next, minContains: 2 })),
  'patterns, and items of a list': one({
    patternProperties: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`^${at}$`, {}])),
    prefixItems: Array.from({ length: 500 }, () => ({})),
  }),
  'many items': one({ type: 'array', minItems: 200_000_000 }),
  'many properties': one({ type: 'object', minProperties: 200_000_000 }),
  'an optional property': one({ type: 'object', properties: { a: { type: 'string', minLength: 2e9 } } }),
  'a repeated pattern': one({ type: 'string', pattern: '^((a{1000}){1000}[^{]){1,1000}$|^([(]a){9}$' }),
  'a long pattern': one({ type: 'string', pattern: '^(?:\\(a|b){200000000,}$' }),
};

test.each(Object.keys(exploding))('rejects schemas that exhaust time or memory: %s', async (name) => {
  await expect(loadContract(await writeDocument(exploding[name]))).rejects.toThrow(
    /openapi\.json:1:\d+ (The smallest value of the schema is larger|The schema combines more) than/,
  );
});

test.each([
  ['themselves', callbacks(1, () => 0)],
  ['two such parts', callbacks(40, (at) => at + 1)],
])('rejects parts of paths that refer to %s', (_, document) => {
  expect(diagnoseSizes(JSON.parse(JSON.stringify(document)))).toContainEqual(
    expect.objectContaining({ message: expect.stringContaining('leads to a part that contains itself') }),
  );
});

test('a keyword with the name __proto__ takes no effect', async () => {
  const text = JSON.stringify({
    ...one({}),
    paths: { '/a': { get: { responses: {}, proto: { security: [] } } } },
  });
  const { contract } = await loadFiles({
    'openapi.json': text.replace('"proto"', '"__proto__"').replace('{', '{"security":[{"key":[]}],'),
  });
  expect(contract.operations[0]?.security).toEqual([{ key: [] }]);
});

const honest: Record<string, object> = {
  recursion: chainOf(1, () => ({}), {
    type: 'object',
    required: ['children', 'parent'],
    properties: {
      children: { type: 'array', items: { $ref: '#/components/schemas/S0' } },
      parent: { anyOf: [{ type: 'null' }, { $ref: '#/components/schemas/S0' }] },
    },
  }),
  'a cheap choice': chainOf(40, (next) => ({
    type: 'object',
    required: ['a', 'b'],
    properties: { a: { anyOf: [next, { type: 'null' }] }, b: { anyOf: [{ type: 'null' }, next] } },
  })),
  'properties with the names of keywords': one({
    type: 'object',
    properties: { minItems: { const: 2e9 }, minLength: { type: 'integer', default: 2e9 } },
    example: { minLength: 2e9 },
  }),
  'patterns with many counts': one({
    type: 'string',
    pattern: '^([0-9a-f]{64}:){40}(x{90}|y{90}){9}z{900,}$',
  }),
};

test.each(Object.keys(honest))('accepts honest schemas: %s', (name) => {
  expect(diagnoseSizes(JSON.parse(JSON.stringify(honest[name])))).toEqual([]);
});
