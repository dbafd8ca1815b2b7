import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ParameterRule,
  writeCookies,
  writeHeader,
  writePath,
  writeQuery,
} from '../../../../scripts/contract/generate/client/serialize-parameters.ts';
import { map, object, string, strings } from '../../../support/documents.ts';
import { requestParser } from './request-parser.ts';

/** A parameter with this name, except in cookies, whose names are tokens. */
const name = 'v v';
const token = 'v.v';
const nameIn = (location: ParameterRule['in']) => (location === 'cookie' ? token : name);

const styles: [ParameterRule['in'], style: string, explode: boolean][] = [
  ...['simple', 'label', 'matrix'].flatMap((style): typeof styles => [
    ['path', style, false],
    ['path', style, true],
  ]),
  ...['form', 'spaceDelimited', 'pipeDelimited'].map((style): (typeof styles)[0] => ['query', style, false]),
  ['query', 'form', true],
  ['header', 'simple', false],
  ['header', 'simple', true],
  ['cookie', 'form', false],
];

/** Writes a value as clients do; undefined if the style cannot express it. The handed cases have the texts of OpenAPI. */
function serialize(rule: ParameterRule, value: unknown): string | undefined {
  try {
    switch (rule.in) {
      case 'path':
        return writePath([rule], `{${rule.name}}`, { [rule.name]: value });
      case 'query':
        return writeQuery([rule], { [rule.name]: value });
      case 'header':
        return writeHeader(rule, value);
      case 'cookie':
        return writeCookies([rule], { [rule.name]: value });
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Texts in which each delimiter and every kind of character occurs. */
const text = fc.oneof(
  fc.string({ unit: fc.constantFrom(...',|. +&=%;[]:/?#"\\{}!\'()*~-_aé😀', '%20', '%2C', '__proto__') }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', 'constructor', 'true', '0', 'null', '[1]', '{"a":1}'),
);
const words = map(string);

function read(location: ParameterRule['in'], parse: ReturnType<typeof requestParser>, sent: string): unknown {
  const { errors, query, path, headers, cookies } = parse({
    ...(location === 'query' ? { query: sent } : {}),
    ...(location === 'path' ? { path: { [name]: sent } } : {}),
    ...(location === 'header' ? { headers: { [name]: sent } } : {}),
    ...(location === 'cookie' ? { headers: { cookie: sent } } : {}),
  });
  return errors.length > 0
    ? errors
    : { query, path, header: headers, cookie: cookies }[location][nameIn(location)];
}

const parserFor = (rule: ParameterRule, schema: object) =>
  requestParser([{ ...rule, required: true, schema }]);

/** Expects that a value is read as it was written. */
function check(rule: ParameterRule, parse: ReturnType<typeof requestParser>, given: unknown): void {
  const sent = serialize(rule, given);
  fc.pre(sent !== undefined && !(rule.in === 'path' && sent === ''));
  expect([sent, JSON.stringify(read(rule.in, parse, String(sent)))]).toEqual([sent, JSON.stringify(given)]);
}

/** Objects with any names, but that of the parameter, which an exploded object refuses unless it is declared. */
const objectsOf = (key: fc.Arbitrary<string>, value: fc.Arbitrary<unknown>) =>
  fc
    .uniqueArray(fc.tuple(key, value), { minLength: 1, maxLength: 6, selector: ([each]) => each })
    .map((entries) => Object.fromEntries(entries))
    .filter((given) => !Object.hasOwn(given, name));

describe.each(styles)('in %s, style %s, explode %s', (location, style, explode) => {
  const rule = { name: nameIn(location), in: location, style, explode };

  test('returns every array', () => {
    const parse = parserFor(rule, strings);
    const lists = fc.array(text, { minLength: 1, maxLength: 6 });
    fc.assert(fc.property(lists, (given) => check(rule, parse, given)));
  });

  test('returns every object', () => {
    const parse = parserFor(rule, words);
    fc.assert(fc.property(objectsOf(text, text), (given) => check(rule, parse, given)));
  });

  test('returns every string', () => {
    const parse = parserFor(rule, string);
    fc.assert(fc.property(text, (given) => check(rule, parse, given)));
  });
});

test('deepObject returns every object of objects, strings and arrays', () => {
  const rule = { name, in: 'query', style: 'deepObject', explode: true } as const;
  const key = text.filter((each) => each !== '');
  const leaf = fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }));
  const parse = parserFor(rule, object({ inner: map({ anyOf: [string, strings] }) }));
  fc.assert(fc.property(objectsOf(key, leaf), (inner) => check(rule, parse, { inner })));
});

test('any text gives a value or an error, for every style', () => {
  const everything = [string, strings, words, { type: ['integer', 'null'] }];
  const parsers = styles.flatMap(([location, style, explode]) =>
    everything.map((schema) => ({
      location,
      parse: parserFor({ name: nameIn(location), in: location, style, explode }, schema),
    })),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((each) => `${encodeURIComponent(name)}=${each}`),
        text.map(encodeURIComponent),
      ),
      (sent) => {
        for (const { location, parse } of parsers) read(location, parse, sent);
      },
    ),
  );
});
