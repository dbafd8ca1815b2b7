import { parse } from 'node:querystring';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseQuery } from '../../../server/lib/query-string.ts';
import { sampleCount, seed } from '../../support/sampling.ts';

const part = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ maxLength: 4, unit: 'binary' }).map(encodeURIComponent),
  fc.constantFrom('a', 'page', '__proto__', '%zz', '%e0', '+', '%2B', 'ä', 'a[b]', ''),
);
const query = fc
  .array(
    fc.oneof(
      fc.tuple(part, part).map(([name, value]) => `${name}=${value}`),
      part,
    ),
    { maxLength: 5 },
  )
  .map((all) => all.join('&'));

test('a query is parsed like by node:querystring', () => {
  fc.assert(
    fc.property(query, (text) => {
      expect(parseQuery(text), text).toEqual({ ...parse(text, '&', '=', { maxKeys: 0 }) });
    }),
    { numRuns: sampleCount(500), seed },
  );
});

test('a name that occurs several times has a list, also __proto__', () => {
  expect(Object.entries(parseQuery('a=1&a=2&a=3&__proto__=4'))).toEqual([
    ['a', ['1', '2', '3']],
    ['__proto__', '4'],
  ]);
});

test('rejects a query with more than 5,000 parameters', () => {
  expect(parseQuery('a&'.repeat(4_999)).a).toHaveLength(4_999);
  expect(() => parseQuery('a&'.repeat(5_000))).toThrow('The query has more than 5000 parameters.');
});
