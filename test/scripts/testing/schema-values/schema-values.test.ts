import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { knownFormats } from '../../../../scripts/lib/known-formats.ts';
import { once } from '../../../../scripts/lib/once.ts';
import { alternativesOf, schemasOfProperty } from '../../../../scripts/testing/schema-values/alternatives.ts';
import { UnsatisfiableSchema } from '../../../../scripts/testing/schema-values/arbitrary.ts';
import { boundaryValuesOf } from '../../../../scripts/testing/schema-values/boundary-values.ts';
import { invalidValuesOf } from '../../../../scripts/testing/schema-values/invalid-values.ts';
import { unsupportedKeywords } from '../../../../scripts/testing/schema-values/keywords.ts';
import type { JsonSchema } from '../../../../scripts/testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import {
  matchesTemplate,
  maxLocations,
  valueLocationsOf,
} from '../../../../scripts/testing/schema-values/value-locations.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { keywordFixtures } from './schema-fixtures.ts';

/** Returns the schemas of a document, each with an Ajv validator that is independent of the generator. */
function reading(document: { components?: { schemas?: object } }) {
  // By itself, Ajv divides binary numbers: 1324165.17 would be no multiple of 0.01.
  const ajv = new Ajv2020({ strict: false, formats: knownFormats, multipleOfPrecision: 4 });
  ajv.addSchema({ components: document.components }, 'whole');
  const context = createSchemaContext(document);
  return Object.keys(document.components?.schemas ?? {}).map((name) => {
    const schema = context.resolve(`#/components/schemas/${name}`);
    const validate = ajv.getSchema(`whole#/components/schemas/${name}`) ?? expect.fail(name);
    // Computed once, because several tests use them.
    const space = once(() => invalidValuesOf(context, schema));
    const limits = once(() => boundaryValuesOf(context, schema));
    return { name, world: context, schema, validate, space, limits };
  });
}

const load = async (file: string) => (await loadContract(file)).document;
const documents = {
  'a document with every keyword': keywordFixtures,
  'our contract': await load('openapi/openapi.yaml'),
  'the bookshop': await load('test/scripts/contract/generate/contracts/bookshop.yaml'),
  'the weather stations': await load('test/scripts/contract/generate/contracts/weather.yaml'),
};

const all = Object.entries(documents).flatMap(([title, document]) =>
  reading(document).map((each) => ({ title, ...each })),
);

test.each(all)(
  '$title: Ajv accepts the generated valid values for $name and rejects the invalid ones',
  ({ world: context, schema, validate, space, limits }) => {
    for (const value of fc.sample(valuesOf(context, [schema]), { numRuns: sampleCount(2), seed }))
      expect(validate(value), JSON.stringify(value)).toBe(true);
    const invalid = space().map(({ values }) => values);
    const options = { numRuns: sampleCount(2), seed };
    for (const { value, violation } of invalid.length > 0 ? fc.sample(fc.oneof(...invalid), options) : []) {
      expect(validate(value), JSON.stringify(value)).toBe(false);
      expect(context.violationsOf(schema, value)).toEqual([violation]);
    }
    for (const { value, isValid, keyword, location, side } of limits().values)
      expect(validate(value), `${keyword} ${location} ${side}: ${JSON.stringify(value).slice(0, 200)}`).toBe(
        isValid,
      );
  },
);

test('every keyword in the documents is supported', () => {
  for (const { schema, world: context } of all)
    expect(unsupportedKeywords(schema, context.resolve)).toEqual([]);
});

test('for every keyword that restricts values by itself, generates values that violate only that keyword', () => {
  const invalid = new Set(all.flatMap(({ space }) => space().map(({ keyword }) => keyword)));
  expect([...invalid].sort().join(', ')).toBe(
    [
      'additionalProperties, anyOf, const, contains, dependentRequired, enum, exclusiveMaximum',
      'exclusiveMinimum, false schema, format, items, maxItems, maxLength, maxProperties',
      'maximum, minItems, minLength, minProperties, minimum, multipleOf, not, oneOf, pattern',
      'propertyNames, required, type, unevaluatedItems, unevaluatedProperties, uniqueItems',
    ].join(', '),
  );
});

test('generates values one below, at, and one above each limit', () => {
  const context = createSchemaContext(keywordFixtures);
  const tried = (name: string) =>
    boundaryValuesOf(context, context.resolve(`#/components/schemas/${name}`)).values.map(
      ({ keyword, side, value, isValid }) => [
        keyword,
        side,
        typeof value === 'number' ? value : JSON.stringify(value).length,
        isValid,
      ],
    );
  expect(tried('Percent')).toEqual([
    ['minimum', 'one below', -1, false],
    ['minimum', 'on', 0, true],
    ['minimum', 'one above', 1, true],
    ['maximum', 'one below', 99, true],
    ['maximum', 'on', 100, true],
    ['maximum', 'one above', 101, false],
  ]);
  const { values } = boundaryValuesOf(context, context.resolve('#/components/schemas/Word'));
  expect(values.map(({ value }) => [...String(value)].length)).toEqual([1, 2, 3, 4, 5, 6]);
});

test('reports the boundary values of the contract that cannot be generated', () => {
  const unreached = all
    .filter(({ title }) => title === 'our contract')
    .flatMap(({ name, limits }) =>
      limits().unreached.map(({ keyword, location, side }) => `${name}${location} ${keyword} ${side}`),
    );
  // No URL has one or two characters.
  expect(unreached).toEqual(['Webhook/url minLength on', 'Webhook/url minLength one above']);
});

test('reports unsupported and misspelled keywords with their locations', () => {
  const strange: JsonSchema = {
    type: 'object',
    properties: { a: { $dynamicRef: '#node' }, b: { items: { minimun: 3 } } },
  };
  expect(unsupportedKeywords(strange, () => true)).toEqual([
    { keyword: '$dynamicRef', at: '/properties/a' },
    { keyword: 'minimun', at: '/properties/b/items' },
  ]);
});

test.each([
  ['nothing fits', { type: 'string', minLength: 3, maxLength: 2 }],
  ['it requires itself', { $ref: '#/components/schemas/Loop' }],
  ['a pattern contradicts itself', { type: 'string', pattern: '^(?!x)x+$' }],
  ['a required property is forbidden', { type: 'object', required: ['a'], properties: { a: false } }],
])('rejects a schema for which no valid value can be generated: %s', (_why, schema) => {
  const context = createSchemaContext({
    components: {
      schemas: {
        Tried: schema,
        Loop: {
          type: 'object',
          required: ['loop'],
          properties: { loop: { $ref: '#/components/schemas/Loop' } },
        },
      },
    },
  });
  expect(() => fc.sample(valuesOf(context, [context.resolve('#/components/schemas/Tried')]), 1)).toThrow(
    UnsatisfiableSchema,
  );
});

test.each([
  [{ type: 'string', pattern: '^(?=.*\\d)(?=.*(a|[b-z])).{8,12}$' }],
  [{ type: 'string', pattern: '(?=.*\\d)' }],
  [{ type: 'string', pattern: '' }],
  [{ type: 'string', pattern: '\\bid\\b' }],
  [{ type: 'object', patternProperties: { '\\bid\\b': {} }, additionalProperties: false, minProperties: 1 }],
  [{ type: 'object', patternProperties: { '': {}, '^(a|b)\\1$': {} }, minProperties: 1 }],
  [
    {
      type: 'object',
      patternProperties: { '^(?!x)[a-z]$': {} },
      additionalProperties: false,
      minProperties: 2,
    },
  ],
  ...[{ enum: ['A1', 'B1'] }, { minLength: 20 }, { format: 'uuid' }, { allOf: [{ pattern: '^x-' }] }].map(
    (propertyNames): [JsonSchema] => [{ type: 'object', propertyNames, minProperties: 2 }],
  ),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ type: 'object', required: ['k'], properties: { k: { const: 1 } }, if: {}, then: { required: ['z'] } }],
] satisfies [JsonSchema][])('generates values of %j', (schema) => {
  const context = createSchemaContext({ components: { schemas: { Tried: schema } } });
  const tried = context.resolve('#/components/schemas/Tried');
  for (const value of fc.sample(valuesOf(context, [tried]), { numRuns: 50, seed }))
    expect(context.isValid(tried, value)).toBe(true);
});

test('an invalid value shrinks to a small one that violates the same keyword', () => {
  const context = createSchemaContext(keywordFixtures);
  const schema = context.resolve('#/components/schemas/Strict');
  const space = invalidValuesOf(context, schema).find(({ keyword }) => keyword === 'minimum');
  const details = fc.check(
    fc.property(
      (space?.values ?? expect.fail()).map(({ value }) => value),
      () => false,
    ),
    { seed, numRuns: 1 },
  );
  const [shrunk] = details.counterexample ?? [];
  expect(shrunk).toMatchObject({ id: 0 });
  expect(JSON.stringify(shrunk).length).toBeLessThan(30);
});

test('a star in a location matches any array item', () => {
  expect(matchesTemplate('/a/3/b', '/a/*/b')).toBe(true);
  expect(matchesTemplate('/a/3', '/a/*/b')).toBe(false);
  expect(matchesTemplate('/a', '/a/*/b', 'or above')).toBe(true);
});

test('skips values beyond a limit that unique items cannot exceed, instead of searching forever', () => {
  const items = { enum: ['low', 'medium', 'high'] };
  const lengths = (maxItems: number) =>
    boundaryValuesOf(createSchemaContext({}), {
      type: 'array',
      uniqueItems: true,
      maxItems,
      items,
    }).values.map(({ value }) => (value as unknown[]).length);
  expect([lengths(3), lengths(2)]).toEqual([
    [2, 3],
    [1, 2, 3],
  ]);
});

test('texts for a pattern have no half of a character, which no request can carry', () => {
  const pattern = String.raw`^[a-z\u00a1-\uffff]+$`;
  const values = valuesOf(createSchemaContext({}), [{ type: 'string', pattern }]);
  const texts = fc.sample(values, { numRuns: 3_000, seed: 1 }).map(String);
  expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
});

test.each([
  [{ properties: { a: { items: { required: ['b'] } } } }, 'object'],
  [{ items: { type: 'string' } }, 'array'],
  [{ minLength: 2 }, 'string'],
  [{ minimum: 2 }, 'number'],
])('values of a schema without a type have the type that its keywords are about: %j', (schema, type) => {
  const values = fc.sample(valuesOf(createSchemaContext({}), [schema]), { numRuns: 200, seed: 1 });
  const fitting = values.filter((value) => (Array.isArray(value) ? 'array' : typeof value) === type);
  expect(fitting.length).toBeGreaterThan(180);
});

test('tries fewer values of each alternative if there are many', () => {
  const choice = (at: number) => ({ oneOf: ['A', 'B'].map((name) => ({ $ref: `#/${name}${at}` })) });
  const levels = Array.from({ length: 7 }, (_, at) => [
    [`A${at}`, at === 0 ? { type: 'string' } : choice(at - 1)],
    [`B${at}`, at === 0 ? { type: 'integer' } : choice(at - 1)],
  ]).flat();
  const tried = vi.fn();
  const context = createSchemaContext(Object.fromEntries(levels), { assertTime: tried });
  // Both branches match each value.
  expect(() => valuesOf(context, [choice(6)])).toThrow(UnsatisfiableSchema);
  expect(tried.mock.calls.length).toBeLessThan(10_000);
});

test('does not describe each branch by all others if a discriminator selects one of many', () => {
  const names = Array.from({ length: 100 }, (_, at) => `Event${at}`);
  const branches = names.map((name) => [
    name,
    { properties: { kind: { type: 'string' }, [name]: { type: 'null' } } },
  ]);
  const context = createSchemaContext({ components: { schemas: Object.fromEntries(branches) } });
  const oneOf = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  const [first = []] = alternativesOf(context, [{ discriminator: { propertyName: 'kind' }, oneOf }]);
  expect(first.flatMap(({ properties = {} }) => Object.keys(properties)).length).toBeLessThan(10);
});

test('values of schemas that all refer to each other have some hundred parts and locations', () => {
  const refs = Array.from({ length: 8 }, (_, index) => [`p${index}`, { $ref: `#/$defs/S${index}` }]);
  const node = { type: 'object', properties: Object.fromEntries(refs) };
  const $defs = Object.fromEntries(refs.map((_, index) => [`S${index}`, structuredClone(node)]));
  const world = createSchemaContext({ $defs });
  for (const value of fc.sample(valuesOf(world, [{ $ref: '#/$defs/S0' }]), { numRuns: 20, seed }))
    expect(JSON.stringify(value).length).toBeLessThan(6_000);
  expect(valueLocationsOf(world, { $ref: '#/$defs/S0' }).length).toBe(maxLocations);
});

test('refuses a value that takes the runtime too much work', () => {
  const items = { type: 'array', items: { $ref: '#/List' } };
  const context = createSchemaContext({ List: { anyOf: [{ allOf: [items] }, items, { const: 2 }] } });
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1), nested(0)]);
  expect(context.violationsOf({ $ref: '#/List' }, nested(18))).toEqual([
    { keyword: 'schema', location: '', message: expect.any(String) },
  ]);
});

test('violations of a union inside itself are found without those of its branches', () => {
  const ref = { $ref: '#/Node' };
  const branch = (name: string) => ({
    type: 'object',
    required: [name],
    properties: { [name]: { type: 'string' }, next: ref },
  });
  const context = createSchemaContext({ Node: { oneOf: ['a', 'b', 'c', 'd', 'e', 'f'].map(branch) } });
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { f: 'x', next: nested(levels - 1) });
  expect(context.violationsOf(ref, nested(8))).toMatchObject([{ keyword: 'oneOf', location: '' }]);
});

test('the schemas of a property are found without listing all properties', () => {
  const ownKeys = () => {
    throw new Error('The properties are listed.');
  };
  const properties = new Proxy<Record<string, JsonSchema>>({ name: { type: 'string' } }, { ownKeys });
  expect(schemasOfProperty([{ properties }], 'name')).toEqual([{ type: 'string' }]);
});
