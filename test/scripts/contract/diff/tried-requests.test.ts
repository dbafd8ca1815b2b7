import { expect, test } from 'vitest';
import { compareContracts } from '../../../../scripts/contract/diff/compare.ts';

interface Schemas {
  components: { schemas: Record<string, object> };
}

const contract = (operation: object, path = '/t', components: object = {}) => ({
  openapi: '3.1.1',
  info: { title: 'T', version: '1.0.0' },
  paths: { [path]: { post: { responses: { 204: { description: '' } }, ...operation } } },
  ...components,
});
const content = (schema: object) => ({ content: { 'application/json': { schema } } });
const sent = (schema: object, components?: Schemas) =>
  contract({ requestBody: { required: true, ...content(schema) } }, '/t', components);
const received = (schema: object, components?: Schemas) =>
  contract({ responses: { 200: { description: '', ...content(schema) } } }, '/t', components);
const parameter = (schema: object, more: object = {}) =>
  contract({ parameters: [{ name: 'f', in: 'query', schema, ...more }] });
const inPath = (schema: object) =>
  contract({ parameters: [{ name: 'id', in: 'path', required: true, schema }] }, '/t/{id}');
const deep = { style: 'deepObject', explode: true };

const text = { type: 'string' };
const integer = { type: 'integer' };
const named = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const A = named({ k: { const: 'a' }, x: text }, { required: ['k'] });
const B = named({ k: { const: 'b' }, y: text }, { required: ['k'] });
const ab: Schemas = { components: { schemas: { A, B } } };
const choice = { oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }] };
const selected = {
  ...choice,
  discriminator: {
    propertyName: 'k',
    mapping: { a: '#/components/schemas/A', b: '#/components/schemas/B' },
  },
};
const refOrNull = named({ p: { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] } });
const inlineOrNull = named({ p: { anyOf: [A, { type: 'null' }] } });
const implicit = (name: string) =>
  received(
    {
      oneOf: [{ $ref: `#/components/schemas/${name}` }, { $ref: '#/components/schemas/Dog' }],
      discriminator: { propertyName: 'k' },
    },
    {
      components: {
        schemas: { [name]: named({ k: text }, { required: ['k'] }), Dog: named({ k: text, n: integer }) },
      },
    },
  );

const wide = named({ a: text, b: integer });
const narrow = named({ a: text });
const closed = { additionalProperties: false };

test.each<[string, 'breaking' | 'compatible', object, object]>([
  ['a deepObject loses a property', 'breaking', parameter(wide, deep), parameter(narrow, deep)],
  [
    'a closed deepObject loses a property',
    'breaking',
    parameter({ ...wide, ...closed }, deep),
    parameter({ ...narrow, ...closed }, deep),
  ],
  ['an integer of a path becomes a text', 'compatible', inPath(integer), inPath(text)],
  ['a text of a path becomes an integer', 'breaking', inPath(text), inPath(integer)],
  ['a text becomes a list', 'compatible', parameter(text), parameter({ type: 'array', items: text })],
  ['a list becomes a text', 'breaking', parameter({ type: 'array', items: text }), parameter(text)],
  [
    'two parameters become an exploded object',
    'compatible',
    contract({ parameters: ['a', 'b'].map((name) => ({ name, in: 'query', schema: text })) }),
    parameter(named({ a: text, b: text })),
  ],
  ['disjoint schemas lose a discriminator', 'compatible', sent(selected, ab), sent(choice, ab)],
  ['a component of an implicit mapping is renamed', 'breaking', implicit('Cat'), implicit('Kitty')],
  ['a request becomes closed', 'breaking', sent(narrow), sent({ ...narrow, ...closed })],
  ['a request becomes closed and gets a property', 'breaking', sent(narrow), sent({ ...wide, ...closed })],
  [
    'a nested object of a request becomes closed',
    'breaking',
    sent(named({ in: narrow })),
    sent(named({ in: { ...narrow, ...closed } })),
  ],
  [
    'property names of a request get a pattern',
    'breaking',
    sent(narrow),
    sent({ ...narrow, propertyNames: { pattern: '^[a-z]{1,4}$' } }),
  ],
  [
    'an open object may have fewer properties',
    'breaking',
    sent({ ...narrow, maxProperties: 4 }),
    sent({ ...narrow, maxProperties: 3 }),
  ],
  ['a text must not be an integer', 'compatible', sent(text), sent({ ...text, not: integer })],
  ['a request gets an optional property', 'compatible', sent(narrow), sent(wide)],
  [
    'a closed response gets a property',
    'compatible',
    received({ ...narrow, ...closed }),
    received({ ...wide, ...closed }),
  ],
  ['items may be anything', 'compatible', sent({ type: 'array' }), sent({ type: 'array', items: {} })],
  [
    'types are a union',
    'compatible',
    sent({ type: ['string', 'integer'] }),
    sent({ anyOf: [integer, text] }),
  ],
  ['a reference or null is inlined in a request', 'compatible', sent(refOrNull, ab), sent(inlineOrNull, ab)],
  [
    'an inlined schema or null is a reference in a response',
    'compatible',
    received(inlineOrNull, ab),
    received(refOrNull, ab),
  ],
  [
    'a body is required now',
    'breaking',
    contract({}),
    contract({ requestBody: { required: true, ...content({ type: 'object' }) } }),
  ],
])('decides when %s: %s', async (_, label, before, after) => {
  const { breaking, undecided } = await compareContracts(before, after, '2026-11-22');
  expect(undecided).toEqual([]);
  expect(breaking.length > 0, JSON.stringify(breaking)).toBe(label === 'breaking');
});

test('reports a removed path whose requests reach another operation of the revision', async () => {
  const item = { get: { responses: { 204: { description: '' } } } };
  const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
  const paths = (all: object) => ({ openapi: '3.1.1', info: { title: 'T', version: '1.0.0' }, paths: all });
  const byId = { '/books/{id}': { parameters, ...item } };
  const { breaking } = await compareContracts(
    paths({ ...byId, '/books/mine': item }),
    paths(byId),
    '2026-11-22',
  );
  expect(breaking.map(({ proof }) => proof)).toEqual([
    {
      kind: 'request',
      seen: {
        curl: "curl -i --path-as-is 'http://127.0.0.1:4010/books/mine'",
        base: 'accepted',
        revision: 'accepted as a request of /books/{}',
      },
    },
  ]);
});

test('does not call a change breaking because another change of the body is', async () => {
  const body = (pattern: string, maxLength: number) =>
    sent(named({ a: { type: 'string', pattern }, b: { type: 'string', maxLength } }));
  const { breaking, undecided } = await compareContracts(
    body('^[a-z]+$', 9),
    body('^[a-z]{1,}$', 8),
    '2026-11-22',
  );
  expect(breaking.map(({ message }) => message)).toEqual([expect.stringContaining('maxLength')]);
  expect(undecided.map(({ message }) => message)).toEqual([expect.stringContaining('pattern')]);
});

test('compares contracts that cannot be compiled, although no request can be tried', async () => {
  const servers = [
    { url: '/{a}', variables: { a: { default: '0', enum: Array.from({ length: 200 }, (_, n) => `${n}`) } } },
  ];
  const { breaking } = await compareContracts(
    { ...parameter(text), servers },
    { ...contract({}), servers },
    '2026-11-22',
  );
  expect(breaking.map(({ rule, proof }) => [rule, proof.kind])).toEqual([['parameter-removed', 'compared']]);
});
