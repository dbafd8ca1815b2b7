import { expect, test } from 'vitest';
import { planParameters } from '../../../../scripts/contract/compile/plan-parameters.ts';
import { integer, map, object, string, strings } from '../../../support/schemas.ts';
import { parseOne } from './request-parser.ts';

const color = object({ R: integer, G: integer, B: integer });

// round-trip.test.ts returns every array, object and string in all styles.
test.each<[string, object, string, unknown]>([
  ['a plus sign is a space', { schema: string }, 'color=a+b%2Bc', 'a b+c'],
  ['a plus sign separates', { style: 'spaceDelimited', schema: strings }, 'color=a+b%20c', ['a', 'b', 'c']],
  ['a parameter without a value is empty', { schema: string }, 'color', ''],
  ['names are decoded', { schema: string }, 'c%6Flor=blue', 'blue'],
  ['empty pairs are ignored', { schema: string }, '&&color=blue&', 'blue'],
])('in a query, %s', (_what, parameter, query, expected) => {
  expect(parseOne({ name: 'color', in: 'query', ...parameter }, query)).toEqual(expected);
});

test.each<[string, object, string, unknown]>([
  ['a plus sign is data', { schema: string }, 'a+b', 'a+b'],
  [
    'a label must begin with a full stop',
    { style: 'label', schema: strings },
    'a,b',
    ['path/color must have the style label'],
  ],
  [
    'a matrix must have the name',
    { style: 'matrix', schema: strings },
    ';paint=a',
    ['path/color must have the style matrix'],
  ],
  [
    'an object needs names and values',
    { schema: color },
    'R,100,G',
    ['path/color must have the style simple'],
  ],
  ['a segment is not empty', { schema: string }, '', ['path/color is empty']],
  [
    'malformed encoding is an error',
    { schema: string },
    '%zz',
    ['path/color is not percent-encoded correctly'],
  ],
])('in a path, %s', (_what, parameter, text, expected) => {
  expect(parseOne({ name: 'color', in: 'path', ...parameter }, text)).toEqual(expected);
});

test('spaces around the items of a header are ignored', () => {
  expect(parseOne({ name: 'X-List', in: 'header', schema: strings }, 'a, b ,c')).toEqual(['a', 'b', 'c']);
  const numbers = map(integer);
  expect(parseOne({ name: 'X-Map', in: 'header', schema: numbers }, 'a, 1, b, 2')).toEqual({ a: 1, b: 2 });
  expect(parseOne({ name: 'X-Map', in: 'header', explode: true, schema: numbers }, 'a=1, b=2')).toEqual({
    a: 1,
    b: 2,
  });
});

test('a cookie can be an array, the last of a name counts, and a stray percent sign stays', () => {
  const cookie = { name: 'a', in: 'cookie', schema: string } as const;
  expect(parseOne(cookie, 'a=1; b=2; a=3')).toBe('3');
  expect(parseOne(cookie, 'a=100%; b=2')).toBe('100%');
  expect(parseOne(cookie, 'a=%20x')).toBe(' x');
  expect(parseOne({ ...cookie, schema: strings }, 'a=1&a=2')).toEqual(['1', '2']);
});

test.each<[object, RegExp]>([
  [
    { in: 'path', style: 'deepObject', schema: color },
    /path parameter color .* style deepObject\. Use simple or/,
  ],
  [{ in: 'header', style: 'form', schema: strings }, /header parameter color .* Use simple/],
  [{ in: 'body', schema: strings }, /cannot be in body/],
  [{ in: 'query', style: 'pipeDelimited', explode: true, schema: color }, /exploded object.*explode: false/],
  [{ in: 'cookie', schema: map(string) }, /The cookie color is an exploded object/],
])('refuses a parameter that OpenAPI does not define: %j', (parameter, message) => {
  const node = { name: 'color', ...parameter };
  expect(() => planParameters([{ node, pointer: '/parameters/0' }], () => ({}))).toThrow(message);
});
