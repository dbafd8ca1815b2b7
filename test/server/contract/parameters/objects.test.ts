import { expect, test } from 'vitest';
import {
  array,
  boolean,
  integer,
  integers,
  map,
  object,
  reference,
  string,
  strings,
} from '../../../support/schemas.ts';
import { parseOne, requestParser } from './request-parser.ts';

const deep = { style: 'deepObject', explode: true };
const tree = object({ n: integer, kids: array(reference('Tree')) });
const gap = 'query/v has items that are neither numbered from 0 without gaps nor all sent as []';

/** Returns the value of the query parameter v, or the errors. */
const read = (parameter: object, query: string) =>
  parseOne({ name: 'v', in: 'query', ...parameter }, query, { Tree: tree, Counts: map(integer) });

test.each<[string, object, string, unknown]>([
  ['arrays with empty brackets', map(integers), 'v[a][]=1&v[a][]=2', { a: [1, 2] }],
  ['arrays with indexes', map(integers), 'v[a][1]=1&v[a][0]=2', { a: [2, 1] }],
  ['arrays by repetition', map(integers), 'v[a]=1&v[a]=2', { a: [1, 2] }],
  ['a text that looks like JSON', map(strings), 'v[a]=[1]', { a: ['[1]'] }],
  ['untyped values', { type: 'object' }, 'v[a]=1&v[b][]=x&v[c][d]=y', { a: '1', b: ['x'], c: { d: 'y' } }],
  [
    'recursive schemas',
    reference('Tree'),
    'v[n]=1&v[kids][0][n]=2&v[kids][0][kids][0][n]=3',
    { n: 1, kids: [{ n: 2, kids: [{ n: 3 }] }] },
  ],
  [
    'a union of objects',
    { oneOf: [object({ a: integer }, 'a'), object({ b: boolean }, 'b')] },
    'v[b]=true',
    { b: true },
  ],
  ['a union with a text', { anyOf: [string, map(integer)] }, 'v=x', 'x'],
  [
    'properties of allOf',
    { allOf: [object({ a: integer }), { properties: { b: boolean } }] },
    'v[a]=1&v[b]=true',
    { a: 1, b: true },
  ],
  [
    'alternatives beside properties',
    { ...object({ a: integer, b: integer }), oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    'v[b]=1',
    { b: 1 },
  ],
  [
    'properties by pattern',
    { type: 'object', patternProperties: { '^n': integer } },
    'v[n1]=1&v[x]=1',
    { n1: 1, x: '1' },
  ],
  ['an array of its own', integers, 'v[0]=1&v[1]=2', [1, 2]],
])('reads a deepObject: %s', (_what, schema, query, expected) => {
  expect(read({ ...deep, schema }, query)).toEqual(expected);
});

test.each<[string, object, string, string]>([
  ['a gap in indexes', map(integers), 'v[a][0]=1&v[a][2]=2', gap],
  ['indexes beside empty brackets', map(integers), 'v[a][0]=1&v[a][]=2', gap],
  [
    'a value and properties',
    map(map(integer)),
    'v[a]=1&v[a][b]=2',
    'query/v has both a value and properties',
  ],
  ['a text for an object', map(map(integer)), 'v[a]=x', 'query/v/a must be an object'],
  ['no brackets', map(integer), 'v=x', 'query/v must be an object'],
  ['an open bracket', map(integer), 'v[a', 'query/v[a is not allowed'],
  ['text after brackets', map(integer), 'v[a]x=1', 'query/v[a]x is not allowed'],
  ['brackets in brackets', map(integer), 'v[[a]]=1', 'query/v[[a]] is not allowed'],
  ['empty brackets of an object', map(integer), 'v[]=1', 'query/v[] is not allowed'],
])('refuses in a deepObject: %s', (_what, schema, query, expected) => {
  expect(read({ ...deep, schema }, query)).toEqual([expected]);
});

test.each<[string, object, string, unknown]>([
  [
    'declared properties',
    { schema: object({ a: integer, b: strings }) },
    'a=1&b=x&b=y',
    { a: 1, b: ['x', 'y'] },
  ],
  [
    'an open object',
    { schema: map(integer) },
    'a=1&b=2&__proto__=3',
    JSON.parse('{"a":1,"b":2,"__proto__":3}'),
  ],
  ['arrays of one item', { schema: map(integers) }, 'a=1', { a: [1] }],
  ['an open object in oneOf', { schema: { oneOf: [map(integer), boolean] } }, 'a=1', { a: 1 }],
  ['another type in oneOf', { schema: { oneOf: [map(integer), boolean] } }, 'v=true', true],
  ['nothing', { schema: map(integer) }, '', undefined],
  ['nothing of a required open object', { required: true, schema: map(integer) }, '', {}],
  [
    'JSON inside a list',
    { explode: false, schema: array(map(integer)) },
    'v=%7B%22a%22:1%2C%22b%22:2%7D,{"c":3}',
    [{ a: 1, b: 2 }, { c: 3 }],
  ],
])('reads an object in the style form: %s', (_what, parameter, query, expected) => {
  expect(read(parameter, query)).toEqual(expected);
});

test.each<[string, object, string, string]>([
  ['a name that is not declared', { schema: object({ a: integer }) }, 'b=1', 'query/b is not allowed'],
  [
    'a name that allOf does not declare',
    { schema: { type: 'object', allOf: [{ properties: { a: integer } }] } },
    'b=1',
    'query/b is not allowed',
  ],
  [
    'JSON under its own name',
    { schema: map(integer) },
    'v={}',
    'query/v must be sent as one parameter for each property',
  ],
  [
    'a name without a value',
    { explode: false, schema: map(integer) },
    'v=a',
    'query/v must be a list of names and values',
  ],
  ['two values', { explode: false, schema: map(integer) }, 'v=a,1&v=b,2', 'query/v is repeated'],
])('refuses an object in the style form: %s', (_what, parameter, query, expected) => {
  expect(read(parameter, query)).toEqual([expected]);
});

test('gives a name to all objects that declare it, and to open objects only if nothing else claims it', () => {
  const parse = requestParser([
    { name: 'counts', in: 'query', schema: map(integer) },
    { name: 'point', in: 'query', schema: object({ x: integer, page: integer }) },
    { name: 'page', in: 'query', schema: integer },
    { name: 'deep', in: 'query', ...deep, schema: map(integer) },
    { name: 'tags', in: 'query', explode: false, schema: strings },
  ]);
  const { query, errors } = parse({ query: 'a=1&x=4&page=5&deep[a]=6&tags=x' });
  expect(errors).toEqual([]);
  expect(query).toEqual({
    counts: { a: 1 },
    point: { x: 4, page: 5 },
    page: 5,
    deep: { a: 6 },
    tags: ['x'],
  });

  for (const name of ['tags[a]', 'tags[21]', 'tags[a', 'tags[', 'deep[', 'deep[a'])
    expect([name, parse({ query: `${name}=1` }).errors.length]).toEqual([name, 1]);
});

test('documented names with brackets are names like others', () => {
  const parse = requestParser([
    { name: 'filter[userId]', in: 'query', required: true, schema: integer },
    { name: 'filter', in: 'query', ...deep, schema: map(string) },
    { name: 'ids[]', in: 'query', schema: integers },
    { name: 'tags', in: 'query', schema: strings },
  ]);
  expect(
    parse({ query: 'filter%5BuserId%5D=1&filter[x]=y&ids[]=1&ids%5B%5D=2&tags[]=a&tags[]=b' }),
  ).toMatchObject({
    query: { 'filter[userId]': 1, filter: { x: 'y' }, 'ids[]': [1, 2], tags: ['a', 'b'] },
    errors: [],
  });
  expect(parse({ query: 'filter[userId]=1&tags[0]=a&tags[1]=b' }).query.tags).toEqual(['a', 'b']);
  expect(parse({ query: 'filter[userId]=x' }).errors).toEqual(['query/filter[userId] must be an integer']);
});

test('reads exploded objects in cookies, and arrays of several cookies', () => {
  const parse = requestParser([
    { name: 'point', in: 'cookie', schema: object({ x: integer, y: integer }) },
    { name: 'tags', in: 'cookie', schema: strings },
    { name: 'csv', in: 'cookie', explode: false, schema: integers },
  ]);
  const cookie = 'x=1; other=2; y=3; tags=a%2Cb; tags=c; csv=1,2';
  expect(parse({ headers: { cookie } })).toMatchObject({
    cookies: { point: { x: 1, y: 3 }, tags: ['a,b', 'c'], csv: [1, 2] },
    errors: [],
  });
});

test('fills defaults in for missing parameters, and for missing properties of what is sent', () => {
  const mode = object({ speed: { type: 'number', default: 1 }, mode: string });
  const parse = requestParser([
    { name: 'page', in: 'query', schema: { ...integer, default: 0 } },
    { name: 'list', in: 'query', schema: { ...integers, default: [1] } },
    { name: 'walk', in: 'query', ...deep, schema: mode },
    { name: 'run', in: 'query', ...deep, schema: { ...mode, default: { mode: 'fast' } } },
    { name: 'one', in: 'query', ...deep, schema: { oneOf: [mode] } },
    { name: 'wrong', in: 'query', schema: { ...integer, default: '5' } },
    { name: 'lang', in: 'cookie', schema: { enum: ['en', 'fr'], default: 'en' } },
    { name: 'X-Mode', in: 'header', schema: mode },
  ]);
  expect(parse({})).toMatchObject({
    query: { page: 0, list: [1], run: { mode: 'fast', speed: 1 } },
    cookies: { lang: 'en' },
    headers: {},
  });
  expect(Object.keys(parse({}).query)).toEqual(['page', 'list', 'run']);
  const sent = parse({ query: 'walk[mode]=slow&one[mode]=slow', headers: { 'x-mode': 'mode,x' } });
  expect(sent.query).toMatchObject({ walk: { mode: 'slow', speed: 1 }, one: { mode: 'slow' } });
  expect(sent.query.one).toEqual({ mode: 'slow' });
  expect(sent.headers).toEqual({ 'x-mode': { mode: 'x', speed: 1 } });
  // Handlers may change what they get.
  expect(parse({}).query.list).not.toBe(parse({}).query.list);
});
