import { expect, test } from 'vitest';
import { planParameters } from '../../../../scripts/contract/compile/plan-parameters.ts';
import { integer, integers, map, object, string, strings } from '../../../support/schemas.ts';
import { requestParser } from './request-parser.ts';

// The public reports and own-cases.yaml have the values of parameters.

test('needs no validation for plain types', () => {
  const parse = requestParser([
    { name: 'a', in: 'query', schema: integer },
    { name: 'b', in: 'query', schema: integers },
  ]);
  expect(parse({ query: 'a=1&b=2&b=3' })).toMatchObject({ query: { a: 1, b: [2, 3] }, checks: 0 });
});

test('copies a default for each request, because handlers may change what they get', () => {
  const parse = requestParser([{ name: 'list', in: 'query', schema: { ...integers, default: [1] } }]);
  expect(parse({}).query.list).not.toBe(parse({}).query.list);
});

test.each<[object, RegExp]>([
  [
    { in: 'path', style: 'deepObject', schema: object({ R: integer }) },
    /path parameter color .* style deepObject\. Use simple or/,
  ],
  [{ in: 'header', style: 'form', schema: strings }, /header parameter color .* Use simple/],
  [{ in: 'body', schema: strings }, /cannot be in body/],
  [
    { in: 'query', style: 'pipeDelimited', explode: true, schema: object({ R: integer }) },
    /exploded object.*explode: false/,
  ],
  [{ in: 'cookie', schema: map(string) }, /The cookie color is an exploded object/],
])('refuses a parameter that OpenAPI does not define: %j', (parameter, message) => {
  const node = { name: 'color', ...parameter };
  expect(() => planParameters([{ node, pointer: '/parameters/0' }], () => ({}))).toThrow(message);
});
