import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidates } from '../../../../scripts/contract/diff/candidates.ts';
import { changedParts } from '../../../../scripts/contract/diff/changed-parts.ts';
import { sameSchemas } from '../../../../scripts/contract/diff/same-schemas.ts';
import { createKnownPairs, isSubset } from '../../../../scripts/contract/diff/schema-subset.ts';
import { WorkBudget } from '../../../../scripts/contract/diff/work-budget.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { schemasInCycles } from '../../../support/schemas-in-cycles.ts';

/** Returns the first schema of two versions, of which the second requires a property in the last schema. */
function twoVersions(count: number) {
  const [before, after] = [schemasInCycles(count), schemasInCycles(count)];
  after.components.schemas[`S${count - 1}`]?.required.push('next');
  const schema = { $ref: '#/components/schemas/S0' };
  const [old, next] = [before, after].map((document) => ({ context: createSchemaContext(document), schema }));
  if (!old || !next) throw new Error('A version is missing.');
  return { old, next };
}

test('each pair of schemas is compared once, regardless of the references that lead to it', () => {
  const { old, next } = twoVersions(9);
  let compared = 0;
  const countsOnly = () => {
    compared += 1;
    return false;
  };
  expect(isSubset(next, old, countsOnly)).toBe(true);
  expect(isSubset(old, next, countsOnly)).toBe(false);
  expect(compared).toBeLessThan(300);
});

test('schemas that exhaust the stack are without a proof', () => {
  const { old, next } = twoVersions(9);
  const exhausted = () => {
    throw new RangeError('Maximum call stack size exceeded');
  };
  expect(isSubset(next, old, exhausted)).toBe(false);
});

test('only the properties that lead to a change are left, on the shortest way', () => {
  const { old, next } = twoVersions(9);
  const [part] = changedParts(old, next, sameSchemas(old.context, next.context), new WorkBudget());
  const objectWith = (properties: object) => ({
    type: 'object',
    required: ['id'],
    properties: { id: { enum: [expect.any(String)] }, ...properties },
  });
  const changed = objectWith({ next: expect.anything() });
  expect(part).toEqual(objectWith({ next: objectWith({ next: objectWith({ other: changed }) }) }));
});

/** Returns a union inside itself, of which branch B has further required properties. */
function union(names: string[], required: string[] = []) {
  const schemaOf = (name: string) => ({
    type: 'object',
    required: [name, ...(name === 'B' ? required : [])],
    properties: { [name]: { type: 'string' }, inner: { $ref: '#/components/schemas/Any' } },
  });
  const Any = { oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) };
  const schemas = { Any, ...Object.fromEntries(names.map((name) => [name, schemaOf(name)])) };
  return {
    context: createSchemaContext({ components: { schemas } }),
    schema: { $ref: '#/components/schemas/Any' },
  };
}

test.each([
  ['the branch that changed', ['A', 'B', 'C'], [expect.objectContaining({ required: ['B'] })]],
  [
    'the branches that changed or were removed',
    ['A', 'B'],
    [
      { $ref: '#/components/schemas/A' },
      { $ref: '#/components/schemas/B' },
      { $ref: '#/components/schemas/C' },
    ],
  ],
])('of a union inside itself, keeps %s', (_, names, oneOf) => {
  const [old, next] = [union(['A', 'B', 'C']), union(names, ['inner'])];
  const [part] = changedParts(old, next, sameSchemas(old.context, next.context), new WorkBudget());
  expect(part).toEqual({ oneOf });
});

test('the values of combinations of schemas are limited by the work of their validation', () => {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index % 4}` });
  const schemaOf = (index: number) => ({
    type: 'object',
    properties: { a: ref(index + 1), b: ref(7 * index + 3) },
    if: { required: ['a'], properties: { a: ref(7 * index + 3) } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { a: ref(13 * index + 5) } },
    else: { properties: { b: ref(index + 1) } },
  });
  const schemas = Object.fromEntries(Array.from({ length: 4 }, (_, index) => [`S${index}`, schemaOf(index)]));
  const budget = new WorkBudget();
  let units = 0;
  const onWork = (work: number) => {
    units += work;
    if (units > 50_000_000) throw new Error('The work is not limited.');
    budget.countValidation(work);
  };
  const context = createSchemaContext({ components: { schemas } }, { assertTime: budget.countParts, onWork });
  const side = { context, schema: ref(0) };
  for (const value of candidates(side, side, budget)) context.isValid(side.schema, value);
  expect(units).toBeGreaterThan(1_000_000);
});

test('values of one kind that are tried have at most some million characters', () => {
  const side = { context: createSchemaContext({}), schema: { type: 'string', minLength: 90_000 } };
  let characters = 0;
  for (const value of candidates(side, side, new WorkBudget())) characters += JSON.stringify(value).length;
  expect(characters).toBeLessThan(15_000_000);
});

interface Node {
  required: string[];
  x: 'integer' | 'number' | 'string';
  next: number;
  other: number;
}

const size = 4;
const graphs = fc.array(
  fc.record<Node>({
    required: fc.subarray(['x', 'next']),
    x: fc.constantFrom('integer', 'number', 'string'),
    next: fc.nat({ max: size - 1 }),
    other: fc.nat({ max: size - 1 }),
  }),
  { minLength: size, maxLength: size },
);

const isWithin = ({ required, x }: Node, other: Node) =>
  other.required.every((name) => required.includes(name)) &&
  (x === other.x || (x === 'integer' && other.x === 'number'));

/** Returns the greatest relation in which every pair is within each other, with the pairs that it refers to. */
function subsetsOf(one: readonly Node[], other: readonly Node[]): boolean[][] {
  const found = one.map((node) => other.map((each) => isWithin(node, each)));
  for (let rounds = 0; rounds < size * size; rounds += 1)
    for (const [at, node] of one.entries())
      for (const [index, each] of other.entries())
        if (!found[node.next]?.[each.next] || !found[node.other]?.[each.other])
          found[at]?.splice(index, 1, false);
  return found;
}

test('a proof is the same as one that compares all pairs of schemas until nothing changes', () => {
  const ref = (index: number) => ({ $ref: `#/components/schemas/S${index}` });
  const contextOf = (nodes: readonly Node[]) =>
    createSchemaContext({
      components: {
        schemas: Object.fromEntries(
          nodes.map(({ required, x, next, other }, index) => [
            `S${index}`,
            { type: 'object', required, properties: { x: { type: x }, next: ref(next), other: ref(other) } },
          ]),
        ),
      },
    });
  fc.assert(
    fc.property(graphs, graphs, (one, other) => {
      const [mine, theirs] = [contextOf(one), contextOf(other)];
      const known = createKnownPairs();
      const proven = one.map((_, at) =>
        other.map((_each, index) =>
          isSubset(
            { context: mine, schema: ref(at) },
            { context: theirs, schema: ref(index) },
            undefined,
            known,
          ),
        ),
      );
      expect(proven).toEqual(subsetsOf(one, other));
    }),
    { numRuns: 300 },
  );
});
