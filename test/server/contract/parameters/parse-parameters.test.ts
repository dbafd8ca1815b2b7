import { parse } from 'node:querystring';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planForm } from '../../../../scripts/contract/compile/plan-form.ts';
import { planParameters } from '../../../../scripts/contract/compile/plan-parameters.ts';
import { readForm } from '../../../../server/validation/parameters/read-form.ts';
import { integer, integers, map, object, string, strings } from '../../../support/documents.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
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

const plan = planForm(
  { mediaType: 'application/x-www-form-urlencoded', schema: true, node: {} },
  () => undefined,
);
const read = (text: string) => readForm(plan, text, {}, () => true, []);

const part = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ maxLength: 4, unit: 'binary' }).map(encodeURIComponent),
  fc.constantFrom('a', 'page', '__proto__', '%zz', '+', '%2B', 'ä', 'a[b]', ''),
);
const field = fc.oneof(
  fc.tuple(part, part).map(([name, value]) => `${name}=${value}`),
  part,
);

test('a form without a schema is parsed like by node:querystring', () => {
  const forms = fc.array(field, { maxLength: 5 }).map((all) => all.join('&'));
  fc.assert(
    fc.property(forms, (text) => {
      expect(read(text), text).toEqual({ ...parse(text, '&', '=', { maxKeys: 0 }) });
    }),
    { numRuns: sampleCount(500), seed },
  );
});

test('a form that combines itself many times is planned in linear time', () => {
  const reference = { $ref: '#/components/schemas/Form' };
  const schema = {
    properties: { name: { type: 'string' } },
    anyOf: Array.from({ length: 20 }, () => reference),
  };
  let resolved = 0;
  const resolve = () => {
    resolved += 1;
    if (resolved > 1_000) throw new Error('The time is not linear.');
    return schema;
  };
  const { parts } = planForm({ mediaType: 'multipart/form-data', schema: reference, node: {} }, resolve);
  expect(parts).toEqual({ name: { isFile: false, isList: false } });
});
