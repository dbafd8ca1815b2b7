import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalizeDocument } from '../../../../scripts/contract/diff/normalize-document.ts';
import { normalizeSchema } from '../../../../scripts/contract/diff/normalize-schema.ts';
import type { SchemaSide } from '../../../../scripts/contract/diff/schema-side.ts';
import { isSubset } from '../../../../scripts/contract/diff/schema-subset.ts';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { tryGenerate } from '../../../../scripts/testing/schema-values/arbitrary.ts';
import { invalidValuesOf } from '../../../../scripts/testing/schema-values/invalid-values.ts';
import { canonicalJson, type JsonSchema } from '../../../../scripts/testing/schema-values/schema.ts';
import {
  createSchemaContext,
  type SchemaContext,
} from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { contractOf } from '../../../support/documents.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';
import { keywordFixtures } from '../../testing/schema-values/schema-fixtures.ts';
import { applyChange, contractChanges, libraryContract } from './contract-changes.ts';

const documents = {
  'every keyword': keywordFixtures,
  'our contract': (await loadContract('openapi/openapi.yaml')).document,
  'the library': libraryContract(),
};

const schemasOf = (document: object): [string, JsonSchema][] => {
  const { components }: { components?: { schemas?: Record<string, JsonSchema> } } = document;
  return Object.entries(components?.schemas ?? {});
};

const cases = Object.entries(documents).flatMap(([title, document]) => {
  const context = createSchemaContext(document);
  const normal = createSchemaContext(normalizeDocument(contractOf(document)));
  return schemasOf(document).map(([name]) => ({
    title,
    name,
    world: context,
    normal,
    at: `#/components/schemas/${name}`,
  }));
});

test.each(cases)(
  '$title: the normal form of $name accepts the same values',
  ({ world: context, normal, at }) => {
    const [schema, other] = [context.resolve(at), normal.resolve(at)];
    const broken = invalidValuesOf(context, schema).map(({ values }) => values);
    const values = [
      ...fc.sample(valuesOf(context, [schema]), { numRuns: sampleCount(2), seed }),
      ...(broken.length > 0 ? fc.sample(fc.oneof(...broken), { numRuns: sampleCount(2), seed }) : []).map(
        ({ value }) => value,
      ),
    ];
    for (const value of values)
      expect(normal.isValid(other, value), JSON.stringify(value)).toBe(context.isValid(schema, value));
  },
);

const none = () => undefined;

test.each<[string, JsonSchema, JsonSchema]>([
  [
    'a closed part sees only its own properties',
    { allOf: [{ properties: { a: true }, additionalProperties: false }], properties: { b: true } },
    { properties: { a: true, b: true }, additionalProperties: false },
  ],
  [
    'a closed whole does not see its parts',
    { allOf: [{ properties: { a: true } }], additionalProperties: false },
    { properties: { a: true }, additionalProperties: false },
  ],
  [
    'any of two is not one of two',
    { anyOf: [{ type: 'string' }, { maxLength: 3 }] },
    { oneOf: [{ type: 'string' }, { maxLength: 3 }] },
  ],
  [
    'an enumeration is not null',
    { anyOf: [{ enum: ['a'], type: 'string' }, { type: 'null' }] },
    { enum: ['a'], type: ['string', 'null'] },
  ],
  [
    'items behind a tuple are not all items',
    { prefixItems: [{ type: 'string' }], allOf: [{ items: { type: 'integer' } }] },
    { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
  ],
])('%s: schemas that look alike but are not equivalent have different normal forms', (_, one, other) => {
  expect(canonicalJson(normalizeSchema(one, none))).not.toBe(canonicalJson(normalizeSchema(other, none)));
});

test.each([
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  { then: { maxLength: 1 } },
  { else: { maxLength: 1 } },
  { minContains: 2, maxContains: 1 },
  { $defs: { Part: { type: 'integer' } } },
  { propertyOrder: 1, definitions: { Part: { type: 'integer' } } },
])('removes %j, which has no effect', (added) => {
  const schema: JsonSchema = { type: ['string', 'array'] };
  expect(normalizeSchema({ ...schema, ...added }, none)).toEqual(normalizeSchema(schema, none));
});

test('normalizes a recursive schema without infinite recursion', () => {
  const tree: JsonSchema = {
    properties: {
      next: { $ref: '#/tree', default: null },
      all: { allOf: [{ $ref: '#/tree' }, { required: ['x'] }] },
    },
  };
  expect(() => normalizeSchema(tree, () => tree)).not.toThrow();
});

const schemaChanges = contractChanges.filter(({ edits }) => edits.every(([at]) => !at.startsWith('/')));

const library = normalizeDocument(contractOf(libraryContract()));
const libraryContext = createSchemaContext(library);

/** Each change with the schemas that it concerns. The others remain subsets of themselves. */
const changedSchemas = schemaChanges.map(({ kind, name, edits }) => {
  const changed = normalizeDocument(contractOf(applyChange(libraryContract(), edits)));
  const names = new Set(edits.map(([at]) => at.split('/')[0]));
  return { name: `${kind}, ${name}`, changed, names };
});

test.each(changedSchemas)(
  '$name: a proven subset accepts nothing that the other schema rejects',
  ({ changed, names }) => {
    const sidesOf = (context: SchemaContext): [string, SchemaSide][] =>
      schemasOf(context.document).map(([name, schema]) => [name, { context, schema }]);
    const changedSides = new Map(sidesOf(createSchemaContext(changed)));
    for (const [name, own] of sidesOf(libraryContext)) {
      const other = changedSides.get(name);
      if (!names.has(name) || !other) continue;
      for (const [one, another] of [
        [own, other],
        [other, own],
      ] as const) {
        if (!isSubset(one, another)) continue;
        const values = tryGenerate(() =>
          fc.sample(valuesOf(one.context, [one.schema]), { numRuns: sampleCount(2), seed }),
        );
        for (const value of values ?? [])
          expect(another.context.isValid(another.schema, value), `${name}: ${JSON.stringify(value)}`).toBe(
            true,
          );
      }
    }
  },
);

test('reads each value of two long enumerations a constant number of times', () => {
  const readsFor = (count: number): number => {
    let reads = 0;
    const values = Array.from({ length: count }, (_, a) => ({
      get a() {
        reads += 1;
        return a;
      },
    }));
    const merged = normalizeSchema({ allOf: [{ enum: values }, { enum: values.slice(1) }] }, () => undefined);
    expect(merged).toHaveProperty('enum.length', count - 1);
    return reads;
  };
  expect(readsFor(800)).toBeLessThan(9 * readsFor(100));
});
