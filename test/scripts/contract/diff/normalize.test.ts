import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalDocument } from '../../../../scripts/contract/diff/normalize-document.ts';
import { normalSchema } from '../../../../scripts/contract/diff/normalize-schema.ts';
import { isNarrower } from '../../../../scripts/contract/diff/schema-subset.ts';
import { edited } from '../../../../scripts/lab/mutation/contract-changes/contract-change.ts';
import { library, mutations } from '../../../../scripts/lab/mutation/contract-changes.ts';
import { bundleContract } from '../../../../scripts/lib/bundle-contract.ts';
import { brokenOf, brokenValues } from '../../../../scripts/testing/schema-values/invalid-values.ts';
import { canonical, type Schema } from '../../../../scripts/testing/schema-values/schema.ts';
import { createWorld } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';
import { runs, seed } from '../../../support/sampling.ts';
import { zoo } from '../../testing/schema-values/schema-fixtures.ts';

const documents = {
  'every keyword': zoo,
  'our contract': await bundleContract('openapi/openapi.yaml'),
  'the library': library(),
};

const schemasOf = (document: object): [string, Schema][] => {
  const { components }: { components?: { schemas?: Record<string, Schema> } } = document;
  return Object.entries(components?.schemas ?? {});
};

const cases = Object.entries(documents).flatMap(([title, document]) => {
  const world = createWorld(document);
  const normal = createWorld(normalDocument(document));
  return schemasOf(document).map(([name]) => ({
    title,
    name,
    world,
    normal,
    at: `#/components/schemas/${name}`,
  }));
});

test.each(cases)(
  '$title: the normal form of $name allows what it allows, and nothing else',
  ({ world, normal, at }) => {
    const [schema, other] = [world.resolve(at), normal.resolve(at)];
    const broken = brokenValues(brokenOf(world, schema));
    const values = [
      ...fc.sample(valuesOf(world, [schema]), { numRuns: runs(2), seed }),
      ...(broken ? fc.sample(broken, { numRuns: runs(2), seed }).map(({ value }) => value) : []),
    ];
    for (const value of values)
      expect(normal.isValid(other, value), JSON.stringify(value)).toBe(world.isValid(schema, value));
  },
);

const none = () => undefined;

test.each<[string, Schema, Schema]>([
  [
    'annotations',
    { type: 'string', description: 'A word.', examples: ['x'], 'x-order': 1 },
    { type: 'string' },
  ],
  ['a constant and an enumeration of one', { const: 3 }, { enum: [3], type: 'integer' }],
  [
    'the order of values, names and types',
    { enum: ['b', 'a'], required: ['y', 'x'], type: ['string', 'null'] },
    { enum: ['a', 'b'], required: ['x', 'y'], type: ['null', 'string'] },
  ],
  ['a choice of constants', { oneOf: [{ const: 'a' }, { const: 'b' }] }, { enum: ['a', 'b'] }],
  [
    'something or null',
    { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'null' }] },
    { type: ['string', 'null'], maxLength: 3 },
  ],
  ['all of one', { allOf: [{ type: 'string' }] }, { type: 'string' }],
  ['one of one', { oneOf: [{ type: 'string' }], maxLength: 3 }, { type: 'string', maxLength: 3 }],
  ['two limits', { maxLength: 5, allOf: [{ maxLength: 3 }] }, { maxLength: 3 }],
  [
    'parts of an object',
    {
      allOf: [
        { properties: { a: true }, required: ['a'] },
        { properties: { b: true }, required: ['b'] },
      ],
    },
    { properties: { a: true, b: true }, required: ['b', 'a'] },
  ],
  [
    'more than zero, and one at least',
    { type: 'integer', exclusiveMinimum: 0 },
    { type: 'integer', minimum: 1 },
  ],
  ['what forbids nothing', { type: 'array', minItems: 0, uniqueItems: false }, { type: 'array' }],
])('%s: two ways to write the same have one normal form', (_, one, other) => {
  expect(canonical(normalSchema(one, none))).toBe(canonical(normalSchema(other, none)));
});

test.each<[string, Schema, Schema]>([
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
])('%s: what looks alike and is not, keeps its form', (_, one, other) => {
  expect(canonical(normalSchema(one, none))).not.toBe(canonical(normalSchema(other, none)));
});

test('a schema that comes back to itself has a normal form', () => {
  const tree: Schema = {
    properties: {
      next: { $ref: '#/tree', default: null },
      all: { allOf: [{ $ref: '#/tree' }, { required: ['x'] }] },
    },
  };
  expect(() => normalSchema(tree, () => tree)).not.toThrow();
});

const schemaChanges = mutations.filter(({ edits }) =>
  edits.every(([at]) => at.startsWith('/components/schemas/')),
);

test.each(schemaChanges.map((mutation) => ({ mutation, name: `${mutation.kind}, ${mutation.name}` })))(
  '$name: what is proven narrower lets nothing through that the other refuses',
  ({ mutation }) => {
    const [before, after] = [normalDocument(library()), normalDocument(edited(library(), mutation.edits))];
    const worlds = [createWorld(before), createWorld(after)] as const;
    for (const name of ['NewBook', 'Book', 'Filter', 'Scan', 'Item', 'Loan']) {
      const at = `#/components/schemas/${name}`;
      const sides = [before, after].map((document, index) => ({
        document,
        schema: schemasOf(document).find(([each]) => each === name)?.[1] ?? true,
        world: worlds[index] ?? worlds[0],
      }));
      for (const [one, other] of [sides, sides.toReversed()]) {
        if (!one || !other || !isNarrower(one, other)) continue;
        for (const value of fc.sample(valuesOf(one.world, [one.world.resolve(at)]), {
          numRuns: runs(2),
          seed,
        }))
          expect(
            other.world.isValid(other.world.resolve(at), value),
            `${name}: ${JSON.stringify(value)}`,
          ).toBe(true);
      }
    }
  },
);
