import { expect, test } from 'vitest';
import { InputLimitError } from '../../../../server/lib/input-limit.ts';
import type { RawParameters } from '../../../../server/validation/parameters/parse-parameters.ts';
import { integer, integers, map, object, reference, string, strings } from '../../../support/documents.ts';
import { requestParser } from './request-parser.ts';

const words = map(string);
const deepObject = { name: 'v', in: 'query', style: 'deepObject', explode: true };
const lists = { anyOf: [integers, strings, string] };

const plain = requestParser([
  { name: 'q', in: 'query', schema: string },
  { name: 'n', in: 'query', schema: integer },
  { name: 'csv', in: 'query', explode: false, schema: lists },
  { name: 'list', in: 'query', schema: strings },
  { name: 'ssv', in: 'query', style: 'spaceDelimited', schema: strings },
  { name: 'psv', in: 'query', style: 'pipeDelimited', schema: words },
  { name: 'deep', in: 'query', style: 'deepObject', explode: true, schema: words },
  { name: 'json', in: 'query', content: { 'application/json': { schema: {} } } },
  { name: 'simple', in: 'path', schema: words },
  { name: 'label', in: 'path', style: 'label', explode: true, schema: strings },
  { name: 'matrix', in: 'path', style: 'matrix', explode: true, schema: words },
  { name: 'X-List', in: 'header', schema: strings },
  { name: 'X-Map', in: 'header', explode: true, schema: words },
  { name: 'c', in: 'cookie', schema: strings },
]);

test.each<[string, Partial<RawParameters>, RegExp]>([
  ['parameters', { query: 'a=1&'.repeat(5_001) }, /more than 5000 parameters/],
  ['values', { query: `csv=${'1,'.repeat(5_000)}` }, /more than 5000 values/],
  ['values in a header', { headers: { 'x-list': '1,'.repeat(5_000) } }, /more than 5000 values/],
  ['cookies', { headers: { cookie: 'a=1;'.repeat(5_001) } }, /more than 5000 cookies/],
  ['brackets', { query: `deep${'[a]'.repeat(101)}=1` }, /more than 100 brackets/],
])('limits the number of %s', (_what, request, message) => {
  expect(() => plain(request)).toThrow(message);
  expect(() => plain(request)).toThrow(InputLimitError);
});

test('accepts as many values and levels as the limits allow', () => {
  expect(plain({ query: 'list=1&'.repeat(5_000) }).query.list).toHaveLength(5_000);
  expect(plain({ query: `csv=${'1,'.repeat(4_998)}1` }).query.csv).toHaveLength(4_999);
  expect(plain({ query: `deep${'[a]'.repeat(100)}=1` }).errors).toContain('query/deep/a must be a string');
});

test('checks a union once for each alternative', () => {
  for (const count of [10, 1_000]) expect(plain({ query: `csv=${'1,'.repeat(count)}a` }).checks).toBe(2);
});

test('limits the work for alternatives inside alternatives', () => {
  const node = (b: object) => object({ a: reference('Node'), b }, 'b');
  const parse = requestParser([{ ...deepObject, schema: reference('Node') }], {
    Node: { anyOf: [node({ type: 'integer', minimum: 5 }), node(string)] },
  });
  const nested = (levels: number) =>
    Array.from({ length: levels }, (_, level) => `v${'[a]'.repeat(level)}[b]=2`).join('&');
  expect(parse({ query: nested(4) })).toMatchObject({ query: { v: { b: '2', a: { b: '2' } } }, errors: [] });
  expect(() => parse({ query: nested(16) })).toThrow(InputLimitError);
});

test('schemas that refer to each other in many ways are refused, and circles end', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `S${index}`,
      object({ a: reference(`S${index + 1}`), b: reference(`S${index + 1}`) }),
    ]),
  );
  expect(() => requestParser([{ ...deepObject, schema: reference('S0') }], { ...wide, S20: string })).toThrow(
    /more than 5000 parts/,
  );
  const circles = { A: { allOf: [reference('B'), { type: 'object' }] }, B: { allOf: [reference('A')] } };
  const { plan } = requestParser([{ ...deepObject, schema: reference('A') }], circles);
  expect(plan.query.parameters[0]?.shape).toMatchObject({ kind: 'object' });
});
