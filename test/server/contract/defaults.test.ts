import { expect, test } from 'vitest';
import { defaultsOf } from '../../../scripts/contract/compile/defaults-of.ts';
import { type DefaultsPlan, fillDefaults } from '../../../server/contract/defaults.ts';

const schemas: Record<string, unknown> = {
  Node: {
    type: 'object',
    properties: {
      n: { default: 1 },
      next: { $ref: 'Node' },
      kids: { type: 'array', items: { $ref: 'Node' } },
    },
  },
  Count: { type: 'integer', default: 7 },
  Loop: { allOf: [{ $ref: 'Loop' }, { properties: { a: { default: 1 } } }] },
  Left: { properties: { a: { allOf: [{ $ref: 'Left' }, { $ref: 'Right' }] }, l: { default: 1 } } },
  Right: { properties: { a: { allOf: [{ $ref: 'Left' }, { $ref: 'Right' }] }, r: { default: 2 } } },
  Plain: { type: 'object', properties: { a: { $ref: 'Plain' } } },
};
const planOf = (schema: object): DefaultsPlan | undefined => {
  const plan = defaultsOf(schema, (reference) => schemas[reference]);
  return plan && JSON.parse(JSON.stringify(plan));
};
/** Returns the value with the defaults of a schema. */
function filled(schema: object, value: unknown): unknown {
  const plan = planOf(schema);
  const copy: unknown = structuredClone(value);
  if (plan) fillDefaults(plan, copy);
  return copy;
}
const withDefault = (value: unknown, more: object = {}) => ({
  properties: { a: { default: value, ...more } },
});

test.each<[string, object, unknown, unknown]>([
  ['a property', withDefault(1), {}, { a: 1 }],
  ['a property that is sent', withDefault(1), { a: null }, { a: null }],
  ['null', withDefault(null), {}, { a: null }],
  ['a property of a default', { properties: { o: { default: {}, ...withDefault(1) } } }, {}, { o: { a: 1 } }],
  ['items', { items: withDefault(1) }, [{}, { a: 2 }, 3], [{ a: 1 }, { a: 2 }, 3]],
  [
    'first items',
    { prefixItems: [{}, withDefault(1)], items: withDefault(2) },
    [{}, {}, {}],
    [{}, { a: 1 }, { a: 2 }],
  ],
  ['further properties', { additionalProperties: withDefault(1) }, { x: {} }, { x: { a: 1 } }],
  ['allOf', { allOf: [withDefault(1), { properties: { b: { default: 2 } } }] }, {}, { a: 1, b: 2 }],
  ['a reference', { properties: { c: { $ref: 'Count' } } }, {}, { c: 7 }],
  ['a reference beside keywords', { $ref: 'Node', properties: { m: { default: 2 } } }, {}, { n: 1, m: 2 }],
  [
    'a recursive schema',
    { $ref: 'Node' },
    { next: { kids: [{}] } },
    { n: 1, next: { n: 1, kids: [{ n: 1 }] } },
  ],
  ['a circle of allOf', { $ref: 'Loop' }, {}, { a: 1 }],
  ['a value of another type', withDefault(1), 'text', 'text'],
  ['a required property', { ...withDefault(1), required: ['a'] }, {}, {}],
  ['a property that allOf requires', { allOf: [withDefault(1), { required: ['a'] }] }, {}, {}],
  ['a read-only property', withDefault(1, { readOnly: true }), {}, {}],
  ['a default of another type', withDefault('1', { type: 'integer' }), {}, {}],
  ['oneOf', { oneOf: [withDefault(1)] }, {}, {}],
  ['anyOf', { anyOf: [withDefault(1)] }, {}, {}],
  ...['if', 'then', 'else', 'not'].map((keyword): [string, object, unknown, unknown] => [
    keyword,
    { [keyword]: withDefault(1) },
    {},
    {},
  ]),
])('fills in the default of %s', (_what, schema, value, expected) => {
  expect(filled(schema, value)).toEqual(expected);
});

test('names that all objects inherit are ordinary names', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"default":1},"constructor":{"default":{"a":1}}}}');
  expect(JSON.stringify(filled(schema, {}))).toBe('{"__proto__":1,"constructor":{"a":1}}');
  expect(Object.getPrototypeOf(filled(schema, {}))).toBe(Object.prototype);
});

test('copies a default for each value', () => {
  const plan = planOf(withDefault({ list: [] }));
  const [one, other] = [{}, {}];
  if (plan) for (const each of [one, other]) fillDefaults(plan, each);
  expect(one).toEqual({ a: { list: [] } });
  expect(Reflect.get(one, 'a')).not.toBe(Reflect.get(other, 'a'));
});

test('has no plan for schemas without defaults', () => {
  expect(planOf({ $ref: 'Plain' })).toBeUndefined();
  expect(planOf({ type: 'string', default: 'x' })).toBeUndefined();
});

test('visits each value once, also if many schemas describe it', () => {
  const levels = 90;
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  // If each schema visited it, the innermost object would be visited 2^90 times.
  const whole = filled({ allOf: [{ $ref: 'Left' }, { $ref: 'Right' }] }, value);
  expect(JSON.stringify(whole).split('"l":1,"r":2')).toHaveLength(levels + 2);
});
