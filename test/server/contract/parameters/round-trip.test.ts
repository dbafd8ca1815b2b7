import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { map, object, string, strings } from '../../../support/schemas.ts';
import { requestParser } from './request-parser.ts';

type Properties = Record<string, string>;
type Location = 'query' | 'path' | 'header' | 'cookie';

/** A serializer after RFC 6570 and the style table of OpenAPI 3.1.1, for a parameter with the name `v v`. */
const name = 'v v';
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
const own = encode(name);
const list = (value: string[] | Properties, write = encode): string[] =>
  (Array.isArray(value) ? value : Object.entries(value).flat()).map(write);
const pairs = (value: Properties, write = encode): string[] =>
  Object.entries(value).map(([key, each]) => `${write(key)}=${write(each)}`);
/** Exploded arrays have the parameter's name before each item, exploded objects that of each property. */
const named = (value: string[] | Properties): string[] =>
  Array.isArray(value) ? value.map((item) => `${own}=${encode(item)}`) : pairs(value);
const unnamed = (value: string[] | Properties, write = encode): string[] =>
  Array.isArray(value) ? value.map(write) : pairs(value, write);
/** RFC 6570, section 3.2.7: the equals sign before an empty value is left out. */
const bare = (text: string): string => text.replace(/=$/, '');

const styles: [Location, string, boolean, (value: string[] | Properties) => string][] = [
  ['path', 'simple', false, (value) => list(value).join(',')],
  ['path', 'simple', true, (value) => unnamed(value).join(',')],
  ['path', 'label', false, (value) => `.${list(value).join(',')}`],
  ['path', 'label', true, (value) => `.${unnamed(value).join('.')}`],
  ['path', 'matrix', false, (value) => `;${bare(`${own}=${list(value).join(',')}`)}`],
  [
    'path',
    'matrix',
    true,
    (value) =>
      named(value)
        .map((each) => `;${bare(each)}`)
        .join(''),
  ],
  ['query', 'form', false, (value) => `${own}=${list(value).join(',')}`],
  ['query', 'form', true, (value) => named(value).join('&')],
  ['query', 'spaceDelimited', false, (value) => `${own}=${list(value).join('%20')}`],
  ['query', 'pipeDelimited', false, (value) => `${own}=${list(value).join('%7C')}`],
  ['query', 'pipeDelimited', false, (value) => `${own}=${list(value).join('|')}`],
  ['header', 'simple', false, (value) => list(value, String).join(',')],
  ['header', 'simple', true, (value) => unnamed(value, String).join(',')],
  ['cookie', 'form', false, (value) => `${own}=${list(value).join(',')}`],
];

/** Texts in which each delimiter and every kind of character occurs. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...',|. +&=%;[]:/?#"\\{}!\'()*~-_aé😀', '%20', '%2C', '__proto__') }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', 'constructor', 'true', '0', 'null', '[1]', '{"a":1}'),
);
/** The characters that a style cannot transport. */
const lost: Record<string, RegExp> = {
  'label true': /[.]/,
  'spaceDelimited false': / /,
  'pipeDelimited false': /\|/,
  header: /[,=]|^\s|\s$/,
};

const words = map(string);

function read(location: Location, parse: ReturnType<typeof requestParser>, sent: string): unknown {
  const { errors, query, path, headers, cookies } = parse({
    ...(location === 'query' ? { query: sent } : {}),
    ...(location === 'path' ? { path: { [name]: sent } } : {}),
    ...(location === 'header' ? { headers: { [name]: sent } } : {}),
    ...(location === 'cookie' ? { headers: { cookie: sent } } : {}),
  });
  return errors.length > 0 ? errors : { query, path, header: headers, cookie: cookies }[location][name];
}

describe.each(styles)('in %s, style %s, explode %s', (location, style, explode, serialize) => {
  const excluded = lost[`${style} ${explode}`] ?? lost[location];
  const value = text.filter((each) => !excluded?.test(each));
  const parser = (schema: object) =>
    // Cookie names are tokens.
    requestParser([
      { name: location === 'cookie' ? own : name, in: location, required: true, style, explode, schema },
    ]);
  const check = (parse: ReturnType<typeof requestParser>, given: string[] | Properties) => {
    const sent = serialize(given);
    fc.pre(!(location === 'path' && sent === ''));
    const found = location === 'cookie' ? parse({ headers: { cookie: sent } }) : undefined;
    const result = found ? (found.cookies[own] ?? found.errors) : read(location, parse, sent);
    expect([sent, JSON.stringify(result)]).toEqual([sent, JSON.stringify(given)]);
  };

  test('returns every array', () => {
    const parse = parser(strings);
    fc.assert(fc.property(fc.array(value, { minLength: 1, maxLength: 6 }), (given) => check(parse, given)));
  });

  test('returns every object', () => {
    const parse = parser(words);
    const entries = fc.uniqueArray(fc.tuple(value, value), {
      minLength: 1,
      maxLength: 6,
      selector: ([key]) => key,
    });
    fc.assert(
      fc.property(entries, (given) => {
        // An exploded object refuses the name of the parameter as a property, unless it is declared.
        fc.pre(given.every(([key]) => key !== name));
        check(parse, Object.fromEntries(given));
      }),
    );
  });
});

test('deepObject returns every object of objects, strings and arrays', () => {
  const key = text.filter((each) => each !== '' && !/[[\]]/.test(each));
  const leaf = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }));
  const entries = fc.uniqueArray(fc.tuple(key, leaf), {
    minLength: 1,
    maxLength: 5,
    selector: ([each]) => each,
  });
  const schema = object({ inner: map({ anyOf: [string, strings] }) });
  const parse = requestParser([{ name, in: 'query', style: 'deepObject', explode: true, schema }]);
  fc.assert(
    fc.property(entries, (given) => {
      const query = given.flatMap(([at, value]) =>
        Array.isArray(value)
          ? value.map((item, index) => `${encode(`${name}[inner][${at}][${index}]`)}=${encode(item)}`)
          : [`${own}[inner][${encode(at)}]=${encode(value)}`],
      );
      const expected = { inner: Object.fromEntries(given) };
      expect(JSON.stringify(read('query', parse, query.join('&')))).toBe(JSON.stringify(expected));
    }),
  );
});

test.each([
  ['query', 'form', (value: string) => `${own}=${encode(value)}`],
  ['path', 'simple', encode],
  ['path', 'label', (value: string) => `.${encode(value)}`],
  ['path', 'matrix', (value: string) => bare(`;${own}=${encode(value)}`)],
] as const)('in %s, style %s returns every string', (location, style, serialize) => {
  const parse = requestParser([{ name, in: location, style, schema: string }]);
  fc.assert(
    fc.property(text, (given) => {
      fc.pre(location === 'query' || style !== 'simple' || given !== '');
      expect(read(location, parse, serialize(given))).toBe(given);
    }),
  );
});

test('any text gives a value or an error, for every style', () => {
  const everything = [string, strings, words, { type: ['integer', 'null'] }];
  const parsers = styles.flatMap(([location, style, explode]) =>
    everything.map((schema) => ({
      location,
      parse: requestParser([{ name, in: location, required: true, style, explode, schema }]),
    })),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((each) => `${own}=${each}`),
        text.map(encode),
      ),
      (sent) => {
        for (const { location, parse } of parsers) read(location, parse, sent);
      },
    ),
  );
});
