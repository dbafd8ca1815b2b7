import { expect, test } from 'vitest';
import { repairDocument } from '../../../../scripts/contract/load/repair-document.ts';

const repair = (given: object) => {
  const { document, notes } = repairDocument({ openapi: '3.1.1', ...given });
  return { document, ignored: notes.map(({ sentence }) => sentence) };
};

test('leaves a document without contradictions unchanged', () => {
  const components = {
    examples: { A: { value: 1 }, B: { $ref: '#/components/examples/A' } },
    schemas: {
      nullable: { type: 'object', properties: { nullable: { type: 'string', default: 'a' }, example: true } },
      Either: { oneOf: [{ properties: { title: {} } }, { properties: { description: {} } }] },
    },
  };
  expect(repair({ components })).toEqual({ document: { openapi: '3.1.1', components }, ignored: [] });
});

test('removes nullable and defaults that violate their schema', () => {
  const { document, ignored } = repair({
    components: {
      schemas: {
        Due: { type: 'string', format: 'date', nullable: true, default: 'soon' },
        Limit: { type: 'integer', maximum: 5, default: 5 },
      },
    },
  });
  expect(document.components?.schemas).toEqual({
    Due: { type: 'string', format: 'date' },
    Limit: { type: 'integer', maximum: 5, default: 5 },
  });
  expect(ignored.sort()).toEqual([
    'The default at /components/schemas/Due violates its own schema, and is ignored.',
  ]);
});

test('removes enums that allow no value, and defaults that JavaScript does not represent exactly', () => {
  const { document, ignored } = repair({
    components: {
      schemas: {
        Group: { type: 'object', enum: ['CAR', 'VAN'], properties: { name: { type: 'string' } } },
        Empty: { enum: [] },
        Code: { type: ['string', 'null'], enum: [1, null] },
        Longest: { type: 'integer', format: 'int64', default: 2 ** 63 },
        Long: { type: 'integer', format: 'int64', default: 2 ** 53 - 1 },
      },
    },
  });
  expect(document.components?.schemas).toEqual({
    Group: { type: 'object', properties: { name: { type: 'string' } } },
    Empty: {},
    Code: { type: ['string', 'null'], enum: [1, null] },
    Longest: { type: 'integer', format: 'int64' },
    Long: { type: 'integer', format: 'int64', default: 2 ** 53 - 1 },
  });
  expect(ignored).toEqual([
    'No value of the enum at /components/schemas/Group has the type that the schema demands. The enum is ignored.',
    'The enum at /components/schemas/Empty is empty, so no value would be valid. It is ignored.',
    expect.stringMatching(/^The default at \/components\/schemas\/Longest exceeds 2\^53-1,/),
  ]);
});

test('removes identifiers of schemas, but not properties with that name', () => {
  const { document, ignored } = repair({
    components: {
      schemas: {
        Note: { $id: 'https://example.com/note', type: 'object', properties: { $id: { type: 'string' } } },
      },
    },
  });
  expect(document.components?.schemas).toEqual({
    Note: { type: 'object', properties: { $id: { type: 'string' } } },
  });
  expect(ignored).toEqual([
    'Identifiers of schemas ($id) are ignored: references lead to parts of the document.',
  ]);
});

test('treats oneOf with equal branches as anyOf, and reports it', () => {
  const branch = (example: string) => ({ type: 'string', default: example });
  const { document, ignored } = repair({
    components: { schemas: { Code: { oneOf: [branch('a'), branch('b')] } } },
  });
  expect(document.components?.schemas).toEqual({ Code: { anyOf: [branch('a'), branch('b')] } });
  expect(ignored).toEqual([expect.stringContaining('oneOf at /components/schemas/Code has equal branches')]);
});

test('treats oneOf as anyOf if a branch includes another, and does not require forbidden properties', () => {
  const order = { type: 'object', properties: { id: { type: 'integer' } } };
  const reference = { $ref: '#/components/schemas/Order' };
  const branches = [reference, { allOf: [reference, { properties: { lines: { type: 'array' } } }] }];
  const token = { type: 'object', properties: { accessToken: {} }, additionalProperties: false };
  const { document, ignored } = repair({
    components: {
      schemas: {
        Order: order,
        Found: { oneOf: branches },
        Token: { ...token, required: ['token', 'accessToken'] },
        Open: { type: 'object', required: ['token'] },
      },
    },
  });
  expect(document.components?.schemas).toEqual({
    Order: order,
    Found: { anyOf: branches },
    Token: { ...token, required: ['accessToken'] },
    Open: { type: 'object', required: ['token'] },
  });
  expect(ignored).toEqual([
    'oneOf at /components/schemas/Found has a branch that includes another, so no value matches only it. It is read as anyOf.',
    'The schema at /components/schemas/Token requires token, but forbids it. It is not required.',
  ]);
});

test('ignores additionalProperties that forbids what allOf requires', () => {
  const page = { type: 'object', required: ['page'], properties: { page: { type: 'integer' } } };
  const list = {
    allOf: [{ $ref: '#/components/schemas/Page' }],
    type: 'object',
    required: ['items'],
    properties: { items: { type: 'array' } },
  };
  const closed = { ...list, additionalProperties: false };
  const complete = { ...closed, properties: { ...list.properties, page: {} } };
  const { document, ignored } = repair({
    components: { schemas: { Page: page, List: closed, Complete: complete } },
  });
  expect(document.components?.schemas).toEqual({ Page: page, List: list, Complete: complete });
  expect(ignored).toEqual([
    'additionalProperties at /components/schemas/List forbids properties that its allOf requires. It is ignored.',
  ]);
});

test('simplifies nested repetition in patterns, which takes exponential time', () => {
  const patterns = [
    String.raw`^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([\/\w .-]*)*\/?$`,
    '^(?:a+)+$',
    String.raw`^(\d*)+x`,
    String.raw`^(a+)+\1$`,
    '^(ab*)*$',
  ];
  const schemas = Object.fromEntries(patterns.map((pattern, at) => [`P${at}`, { type: 'string', pattern }]));
  const { document, ignored } = repair({ components: { schemas } });
  expect(
    Object.values(document.components?.schemas ?? {}).map((schema) => 'pattern' in schema && schema.pattern),
  ).toEqual([
    String.raw`^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})[\/\w .-]*\/?$`,
    '^a+$',
    String.raw`^\d*x`,
    ...patterns.slice(3),
  ]);
  expect(ignored).toEqual([]);
});

test('ignores a type that no branch allows', () => {
  const branches = [{ type: 'string' }, { type: ['integer', 'boolean'] }];
  const { document, ignored } = repair({
    components: {
      schemas: {
        Value: { type: 'null', oneOf: branches },
        Amount: { type: 'number', anyOf: branches },
        Any: { type: 'null', oneOf: [{ minLength: 1 }] },
      },
    },
  });
  expect(document.components?.schemas).toEqual({
    Value: { oneOf: branches },
    Amount: { type: 'number', anyOf: branches },
    Any: { type: 'null', oneOf: [{ minLength: 1 }] },
  });
  expect(ignored).toEqual(['No branch at /components/schemas/Value allows the type null. It is ignored.']);
});

test('rewrites discriminator mappings, and references into paths, as references to component schemas', () => {
  const tree = {
    type: 'object',
    properties: { child: { $ref: '#/paths/~1a/get/responses/200/content/x~1y/schema' } },
  };
  const { document } = repair({
    paths: { '/a': { get: { responses: { 200: { content: { 'x/y': { schema: tree } } } } } } },
    components: {
      schemas: { Cat: {}, Pet: { discriminator: { propertyName: 'kind', mapping: { cat: 'Cat' } } } },
    },
  });
  const shared = { type: 'object', properties: { child: { $ref: '#/components/schemas/Shared1' } } };
  expect(document).toMatchObject({
    paths: { '/a': { get: { responses: { 200: { content: { 'x/y': { schema: shared } } } } } } },
    components: {
      schemas: { Shared1: shared, Pet: { discriminator: { mapping: { cat: '#/components/schemas/Cat' } } } },
    },
  });
});
