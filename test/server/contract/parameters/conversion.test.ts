import { expect, test } from 'vitest';
import { boolean, integer, integers, number, object, string, strings } from '../../../support/schemas.ts';
import { parseOne, requestParser } from './request-parser.ts';

/** Returns the value of `?v=TEXT`, or the errors. */
const read = (schema: object, text: string, more: object = {}, schemas?: object): unknown =>
  parseOne({ name: 'v', in: 'query', schema, ...more }, `v=${text}`, schemas);

test.each<[string, object, string, unknown]>([
  ['an integer', integer, '7', 7],
  ['a negative integer', integer, '-7', -7],
  ['zero', integer, '0', 0],
  ['a number', number, '-1.5e3', -1500],
  ['a boolean', boolean, 'false', false],
  ['digits of a string', string, '00123', '00123'],
  ['the first type that is accepted', { type: ['string', 'integer'] }, '7', 7],
  ['a string beside other types', { type: ['string', 'integer', 'boolean'] }, '07', '07'],
  ['a type that the schema rejects', { type: ['integer', 'string'], minLength: 1, not: integer }, '7', '7'],
  ['the empty text of a nullable type', { type: ['integer', 'null'] }, '', null],
  ['the empty text of a nullable array', { type: ['array', 'null'], items: integer }, '', null],
  ['an item of a nullable array', { type: ['array', 'null'], items: integer }, '7', [7]],
  ['the types of enum', { enum: [1, 'a', true, null] }, 'true', true],
  ['a string of digits in enum', { enum: ['1', 2] }, '1', '1'],
  ['the type of const', { const: 5 }, '5', 5],
  ['no type', {}, '5', '5'],
  ['the type of limits', { minimum: 3 }, '5', 5],
  ['a text that limits do not concern', { minimum: 3 }, 'a', 'a'],
  ['types of anyOf', { anyOf: [integer, { enum: ['all'] }] }, 'all', 'all'],
  ['an integer of anyOf', { anyOf: [integer, { enum: ['all'] }] }, '5', 5],
  ['anyOf with null', { anyOf: [integer, { type: 'null' }] }, '5', 5],
  ['an array before a string', { oneOf: [integers, string] }, '5', [5]],
  ['a string if no array is accepted', { oneOf: [integers, string] }, 'a', 'a'],
  ['a type in allOf', { allOf: [{ minimum: 1 }, integer] }, '5', 5],
  ['the type that allOf has in common', { allOf: [{ type: ['integer', 'string'] }, integer] }, '5', 5],
  ['a reference', { $ref: '#/components/schemas/Count' }, '5', 5],
  ['a reference beside keywords', { $ref: '#/components/schemas/Count', maximum: 9 }, '5', 5],
  [
    'a type beside oneOf without types',
    { type: 'integer', oneOf: [{ minimum: 10 }, { maximum: 5 }] },
    '5',
    5,
  ],
])('reads %s', (_what, schema, text, expected) => {
  expect(read(schema, text, {}, { Count: integer })).toEqual(expected);
});

test.each(['0x11', ' 5', '%205', '5%20', '%2B5', '1e1', '05', '-0', '5.0', '--1', '-', 'NaN', '١'])(
  'refuses %s as an integer',
  (text) => {
    expect(read(integer, text)).toEqual(['query/v must be an integer']);
  },
);

test.each(['0x11', '.5', '5.', '1e', 'Infinity', '1e999', '01.5'])('refuses %s as a number', (text) => {
  expect(read(number, text)).toEqual(['query/v must be a number']);
});

test.each(['TRUE', '1', 'yes', '0'])('refuses %s as a boolean', (text) => {
  expect(read(boolean, text)).toEqual(['query/v must be a boolean']);
});

test.each<[object, string, unknown]>([
  [integer, '9007199254740991', 9007199254740991],
  [integer, '9007199254740992', 9007199254740992],
  [integer, '9007199254740993', ['query/v is an integer that cannot be represented exactly']],
  [integer, '1'.repeat(5_000), ['query/v is an integer that cannot be represented exactly']],
  [{ type: ['integer', 'string'] }, '9007199254740993', '9007199254740993'],
  [integers, '9007199254740993', ['query/v is an integer that cannot be represented exactly']],
  [{ ...integer, format: 'int64' }, '-9223372036854775808', -(2 ** 63)],
  [{ ...integer, format: 'int64' }, '-9223372036854775809', ['query/v must be an integer of 64 bits']],
])('never rounds an integer silently: %j %s', (schema, text, expected) => {
  expect(read(schema, text)).toEqual(expected);
});

test.each<[string, object, object, string, unknown]>([
  ['a string without a minimum length', string, {}, '', ''],
  ['a string with one', { ...string, minLength: 1 }, {}, '', ['query/v is empty']],
  ['a string of an enum', { enum: ['a'] }, {}, '', ['query/v is empty']],
  ['an integer', integer, {}, '', ['query/v is empty']],
  ['an array of strings', strings, {}, '', ['']],
  ['an array of integers', integers, {}, '', ['query/v is empty']],
  ['an array with allowEmptyValue', integers, { allowEmptyValue: true }, '', []],
  ['a flag with allowEmptyValue', boolean, { allowEmptyValue: true }, '', undefined],
  ['its default', { type: 'boolean', default: true }, { allowEmptyValue: true }, '', true],
])('treats an empty value by its schema: %s', (_what, schema, more, text, expected) => {
  expect(read(schema, text, more)).toEqual(expected);
});

test('reports unknown, repeated and missing parameters', () => {
  const parse = requestParser([
    { name: 'page', in: 'query', schema: integer },
    { name: 'token', in: 'query', required: true, schema: { ...string, default: 'x' } },
    { name: 'X-Key', in: 'header', required: true, schema: string },
    { name: 'sid', in: 'cookie', required: true, schema: string },
    { name: 'X-One', in: 'header', schema: string },
    { name: 'X-Many', in: 'header', schema: strings },
    { name: 'Prefer', in: 'header', schema: string },
  ]);
  const headers = { 'x-one': 'a, b', 'x-many': 'a, b', prefer: 'a, b' };
  const rawHeaders = ['X-One', 'a', 'x-oNE', 'b', 'X-Many', 'a', 'X-Many', 'b', 'Prefer', 'a', 'Prefer', 'b'];
  const parsed = parse({ query: 'page=1&page=2&__proto__=1&constructor=2&toString', headers, rawHeaders });
  expect(parsed).toMatchObject({ query: {}, headers: { 'x-many': ['a', 'b'], prefer: 'a, b' } });
  expect(parsed.errors).toEqual([
    'query/__proto__ is not allowed',
    'query/constructor is not allowed',
    'query/toString is not allowed',
    'query/page is repeated',
    'query/token is required',
    'header/X-Key is required',
    'header/X-One is repeated',
    'cookie/sid is required',
  ]);
});

test('ignores header parameters that OpenAPI reserves, but passes them on', () => {
  const parse = requestParser([
    { name: 'Accept', in: 'header', required: true, schema: integer },
    { name: 'Authorization', in: 'header', required: true, schema: string },
  ]);
  expect(parse({ headers: { accept: 'text/html' } })).toMatchObject({
    headers: { accept: 'text/html' },
    errors: [],
  });
});

test('names that all objects inherit are ordinary names', () => {
  const names = ['__proto__', 'constructor', 'toString'];
  const parse = requestParser([
    ...names.map((name) => ({ name, in: 'query', schema: integer })),
    ...names.map((name) => ({ name, in: 'cookie', schema: { ...integer, default: 3 } })),
    ...names.map((name) => ({ name, in: 'path', required: true, schema: integer })),
    ...names.map((name) => ({ name, in: 'header', schema: integer })),
  ]);
  const path: Record<string, string> = JSON.parse('{"__proto__":"1","constructor":"2","toString":"3"}');
  const parsed = parse({ query: '__proto__=1&constructor=2', path });
  expect(parsed.errors).toEqual([]);
  expect(JSON.stringify(parsed)).toBe(
    '{"query":{"__proto__":1,"constructor":2},"path":{"__proto__":1,"constructor":2,"toString":3},"headers":{},"cookies":{"__proto__":3,"constructor":3,"toString":3},"errors":[],"checks":0}',
  );
});

test('reads content as JSON or text', () => {
  const content = {
    'application/json': { schema: object({ a: { ...integer, default: 1 } }) },
  };
  for (const location of ['query', 'path', 'cookie', 'header'] as const) {
    const send = (text: string) =>
      parseOne({ name: 'v', in: location, content }, /^(query|cookie)$/.test(location) ? `v=${text}` : text);
    const encode = location === 'header' ? String : encodeURIComponent;
    expect(send(encode('{"b":"x"}'))).toEqual({ a: 1, b: 'x' });
    expect(send(encode('{"a":"x"}'))).toEqual([`${location}/v/a must be an integer`]);
    expect(send(encode('{broken'))).toEqual([`${location}/v must be JSON`]);
    expect(send(encode('['.repeat(1_000)))).toEqual([`${location}/v is nested too deeply`]);
  }
  expect(parseOne({ name: 'v', in: 'query', content: { 'text/plain': { schema: integer } } }, 'v=5')).toBe(5);
  expect(parseOne({ name: 'v', in: 'query', content }, 'v={"b":"unencoded"}')).toEqual({
    a: 1,
    b: 'unencoded',
  });
});

test('needs no validation for plain types', () => {
  const parse = requestParser([
    { name: 'a', in: 'query', schema: integer },
    { name: 'b', in: 'query', schema: integers },
  ]);
  expect(parse({ query: 'a=1&b=2&b=3' })).toMatchObject({ query: { a: 1, b: [2, 3] }, checks: 0 });
});
