import { beforeAll, describe, expect, test } from 'vitest';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { validateStatusAndBody } from '../../../server/contract/validate-response.ts';
import {
  array,
  content,
  documentOf,
  integer,
  map,
  object,
  reference,
  responses,
} from '../../support/documents.ts';
import {
  type Implementations,
  implementationNames,
  startImplementations,
} from '../../support/implementations.ts';
import { afterAllTests } from '../../support/temporary-folder.ts';

const only = (value: number) => object({ k: { const: value } }, 'k');

/** Schemas with several branches that all look into the same value, by what makes up the branches. */
const recursive: Record<string, (self: object) => object> = {
  oneOf: (self) => ({ oneOf: [object({ a: self }), object({ a: self, b: { type: 'array' } })] }),
  'anyOf whose branches differ inside': (self) => ({
    anyOf: [object({ a: self, c: only(1) }), object({ a: self, c: only(2) })],
  }),
  allOf: (self) => ({ allOf: [object({ a: self }), object({ a: self })] }),
  if: (self) => ({ if: object({ a: self }), else: false, ...object({ a: self }) }),
  not: (self) => ({ not: { not: object({ a: self }) }, ...object({ a: self }) }),
  additionalProperties: (self) => ({
    allOf: [map(self), map(self)],
  }),
  'closed objects': (self) => ({
    anyOf: [3, 2].map((b) => ({ ...object({ a: self, b: { const: b } }), additionalProperties: false })),
  }),
};
const names = Object.keys(recursive);
/** Whether the first branch that matches decides, so that the other one is not tried. */
const isDecidedByFirst = (name: string) => /^(anyOf whose branches differ inside|closed objects)$/.test(name);
const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });

/** A condition of a search, which contains others. Its kind is a constant that follows the conditions inside. */
const conditionFor = (union: string) => ({
  [union]: [
    ...['all', 'any'].map((kind) =>
      object({ args: array(reference(union)), kind: { const: kind } }, 'kind', 'args'),
    ),
    { type: 'string' },
  ],
});
const unions = ['oneOf', 'anyOf'];
const condition = (levels: number, innermost: unknown): unknown =>
  levels === 0 ? innermost : { args: [condition(levels - 1, innermost)], kind: 'any' };

/** A list of events, each of which is one of 60. */
const events = array({ oneOf: Array.from({ length: 60 }, (_, index) => reference(`Event${index}`)) });
const components = {
  schemas: {
    ...Object.fromEntries(
      names.map((name, index) => [`S${index}`, recursive[name]?.(reference(`S${index}`))]),
    ),
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, index) => [
        `Event${index}`,
        object({ type: { const: `e${index}` }, id: integer }, 'type', 'id'),
      ]),
    ),
    ...Object.fromEntries(unions.map((union) => [union, conditionFor(union)])),
    Unique: { type: ['array', 'integer'], uniqueItems: true, items: reference('Unique') },
  },
};
const pathOf = (operationId: string, schema: object) => ({
  post: {
    operationId,
    requestBody: { required: true, ...content(schema) },
    responses: { '204': { description: 'Done' }, '422': { description: 'Invalid' } },
  },
});
const paths = {
  ...Object.fromEntries(names.map((_, index) => [`/s${index}`, pathOf(`s${index}`, reference(`S${index}`))])),
  ...Object.fromEntries(unions.map((union) => [`/${union}`, pathOf(union, reference(union))])),
  '/events': pathOf('events', events),
  '/unique': pathOf('unique', reference('Unique')),
};

let send: Implementations;
beforeAll(async () => {
  send = await startImplementations(documentOf(paths, { components }), afterAllTests);
});
describe.each(implementationNames)('%s', (implementation) => {
  const post = (path: string, value: unknown) =>
    send[implementation](path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(value),
    });

  test.each(names)(
    'rejects values that a recursive schema validates exponentially often: %s',
    async (name) => {
      const path = `/s${names.indexOf(name)}`;
      const accepted = name === 'oneOf' ? 422 : 204;
      expect((await post(path, nested(4))).status).toBe(accepted);
      const response = await post(path, nested(20));
      // The first branch that matches decides.
      if (isDecidedByFirst(name)) return expect(response.status).toBe(204);
      expect(response.status).toBe(422);
      expect(await response.text()).toContain('too complex');
    },
  );

  test.each(unions)(
    'a constant selects the branch of a nested %s before what is inside it',
    async (union) => {
      expect((await post(`/${union}`, condition(20, 'a'))).status).toBe(204);
      const response = await post(`/${union}`, condition(20, 1));
      expect([response.status, await response.text()]).toEqual([422, expect.not.stringContaining('complex')]);
    },
  );

  test('accepts a long list of values with many alternatives', async () => {
    const list = (count: number) => Array.from({ length: count }, (_, id) => ({ type: `e${id % 60}`, id }));
    for (const count of [600, 10_000]) expect((await post('/events', list(count))).status).toBe(204);
  });

  test('rejects a large list below many levels of lists without duplicates', async () => {
    const items = Array.from({ length: 100_000 }, (_, index) => index);
    expect((await post('/unique', items)).status).toBe(204);
    let value: unknown = items;
    for (let level = 0; level < 97; level += 1) value = [value];
    const response = await post('/unique', value);
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('too complex')]);
  });
});

test.each(names)('limits the work for a response: %s', async (name) => {
  const get = { responses: responses(reference(`S${names.indexOf(name)}`), 200) };
  const document = documentOf({ '/a': { get } }, { components });
  const [operation = expect.fail()] = operationsOf(compileContract(document));
  const validate = () => validateStatusAndBody(operation, { status: 200, body: nested(20) }, true);
  if (isDecidedByFirst(name)) expect(validate).not.toThrow();
  else expect(validate).toThrow('too complex');
});
