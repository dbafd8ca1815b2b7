import { describe, expect, test } from 'vitest';
import { planParameters } from '../../../../scripts/contract/compile/plan-parameters.ts';
import { parseOne } from './request-parser.ts';

const string = { type: 'string' };
const integer = { type: 'integer' };
const array = { type: 'array', items: string };
const object = { type: 'object', properties: { R: integer, G: integer, B: integer } };
const list = ['blue', 'black', 'brown'];
const rgb = { R: 100, G: 200, B: 150 };

/** The style table of OpenAPI 3.1.1, section 4.8.12.4: style, explode, empty string, string, array, object. */
const table = {
  path: [
    ['matrix', false, ';color', ';color=blue', ';color=blue,black,brown', ';color=R,100,G,200,B,150'],
    ['matrix', true, ';color', ';color=blue', ';color=blue;color=black;color=brown', ';R=100;G=200;B=150'],
    ['label', false, '.', '.blue', '.blue,black,brown', '.R,100,G,200,B,150'],
    ['label', true, '.', '.blue', '.blue.black.brown', '.R=100.G=200.B=150'],
    ['simple', false, undefined, 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, undefined, 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ],
  query: [
    ['form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', 'R=100&G=200&B=150'],
    [
      'spaceDelimited',
      false,
      undefined,
      undefined,
      'color=blue%20black%20brown',
      'color=R%20100%20G%20200%20B%20150',
    ],
    [
      'pipeDelimited',
      false,
      undefined,
      undefined,
      'color=blue%7Cblack%7Cbrown',
      'color=R%7C100%7CG%7C200%7CB%7C150',
    ],
    [
      'deepObject',
      true,
      undefined,
      undefined,
      undefined,
      'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
    ],
  ],
  header: [
    ['simple', false, '', 'blue', 'blue,black,brown', 'R,100,G,200,B,150'],
    ['simple', true, '', 'blue', 'blue,black,brown', 'R=100,G=200,B=150'],
  ],
  cookie: [
    ['form', false, 'color=', 'color=blue', 'color=blue,black,brown', 'color=R,100,G,200,B,150'],
    ['form', true, 'color=', 'color=blue', 'color=blue&color=black&color=brown', undefined],
    ['form', true, 'color=', 'color=blue', 'color=blue; color=black; color=brown', 'R=100; G=200; B=150'],
  ],
} as const;

const rows = (['path', 'query', 'header', 'cookie'] as const).flatMap((location) =>
  table[location].flatMap(([style, explode, empty, text, items, properties]) =>
    (
      [
        [string, empty, ''],
        [string, text, 'blue'],
        [array, items, list],
        [object, properties, rgb],
      ] as const
    ).flatMap(([schema, sent, expected]) =>
      sent === undefined ? [] : [{ location, style, explode, sent, schema, expected }],
    ),
  ),
);

describe('the style table of OpenAPI', () => {
  test.each(rows)(
    'reads $sent in $location, style $style, explode $explode',
    ({ location, style, explode, sent, schema, expected }) => {
      expect(parseOne({ name: 'color', in: location, style, explode, schema }, sent)).toEqual(expected);
    },
  );
});

test.each<[string, object, string, unknown]>([
  ['an encoded comma is data', { explode: false, schema: array }, 'color=a%2Cb,c', ['a,b', 'c']],
  [
    'an encoded comma in a name is data',
    { explode: false, schema: { type: 'object' } },
    'color=a%2Cb,c',
    { 'a,b': 'c' },
  ],
  ['an encoded ampersand is data', { schema: array }, 'color=a%26b&color=c', ['a&b', 'c']],
  ['a plus sign is a space', { schema: string }, 'color=a+b%2Bc', 'a b+c'],
  ['a plus sign separates', { style: 'spaceDelimited', schema: array }, 'color=a+b%20c', ['a', 'b', 'c']],
  [
    'an unencoded pipe separates',
    { style: 'pipeDelimited', schema: array },
    'color=a|b%7cc',
    ['a', 'b', 'c'],
  ],
  [
    'exploded spaces are data',
    { style: 'spaceDelimited', explode: true, schema: array },
    'color=a%20b&color=c',
    ['a b', 'c'],
  ],
  [
    'reserved characters need no encoding',
    { schema: string },
    "color=12:30/a@b?*it's(x)!;$,",
    "12:30/a@b?*it's(x)!;$,",
  ],
  ['an equals sign in a value is data', { schema: string }, 'color=a=b', 'a=b'],
  ['a parameter without a value is empty', { schema: string }, 'color', ''],
  ['names are decoded', { schema: string }, 'c%6Flor=blue', 'blue'],
  ['empty pairs are ignored', { schema: string }, '&&color=blue&', 'blue'],
])('in a query, %s', (_what, parameter, query, expected) => {
  expect(parseOne({ name: 'color', in: 'query', ...parameter }, query)).toEqual(expected);
});

test.each<[string, object, string, unknown]>([
  ['a plus sign is data', { schema: string }, 'a+b', 'a+b'],
  ['an encoded comma is data', { schema: array }, 'a%2Cb,c', ['a,b', 'c']],
  [
    'an encoded full stop is data',
    { style: 'label', explode: true, schema: array },
    '.a%2Eb.c',
    ['a.b', 'c'],
  ],
  [
    'a label must begin with a full stop',
    { style: 'label', schema: array },
    'a,b',
    ['path/color must have the style label'],
  ],
  [
    'a matrix must have the name',
    { style: 'matrix', schema: array },
    ';paint=a',
    ['path/color must have the style matrix'],
  ],
  [
    'an object needs names and values',
    { schema: object },
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
  expect(parseOne({ name: 'X-List', in: 'header', schema: array }, 'a, b ,c')).toEqual(['a', 'b', 'c']);
  const numbers = { type: 'object', additionalProperties: { type: 'integer' } };
  expect(parseOne({ name: 'X-Map', in: 'header', schema: numbers }, 'a, 1, b, 2')).toEqual({ a: 1, b: 2 });
  expect(parseOne({ name: 'X-Map', in: 'header', explode: true, schema: numbers }, 'a=1, b=2')).toEqual({
    a: 1,
    b: 2,
  });
});

test('the last cookie of a name counts, and a stray percent sign stays', () => {
  const cookie = { name: 'a', in: 'cookie', schema: string } as const;
  expect(parseOne(cookie, 'a=1; b=2; a=3')).toBe('3');
  expect(parseOne(cookie, 'a=100%; b=2')).toBe('100%');
  expect(parseOne(cookie, 'a=%20x')).toBe(' x');
});

test.each<[object, RegExp]>([
  [
    { in: 'path', style: 'deepObject', schema: object },
    /path parameter color .* style deepObject\. Use simple or/,
  ],
  [{ in: 'header', style: 'form', schema: array }, /header parameter color .* Use simple/],
  [{ in: 'body', schema: array }, /cannot be in body/],
  [{ in: 'query', style: 'pipeDelimited', explode: true, schema: object }, /exploded object.*explode: false/],
  [
    { in: 'cookie', schema: { type: 'object', additionalProperties: string } },
    /The cookie color is an exploded object/,
  ],
])('refuses a parameter that OpenAPI does not define: %j', (parameter, message) => {
  const node = { name: 'color', ...parameter };
  expect(() => planParameters([{ node, pointer: '/parameters/0' }], () => ({}))).toThrow(message);
});
