import { beforeAll, describe, expect, test } from 'vitest';
import { createAjv } from '../../../scripts/lib/create-ajv.ts';
import { findDuplicate } from '../../../server/lib/ajv-runtime.ts';
import { withWorkLimit } from '../../../server/lib/work-limit.ts';
import { interpretSchema } from '../../../server/validation/explain/explain-schema.ts';
import { array, content, documentOf, object, reference } from '../../support/documents.ts';
import {
  type Implementations,
  implementationNames,
  startImplementations,
} from '../../support/implementations.ts';
import { afterAllTests } from '../../support/temporary-folder.ts';

/** Takes exponential time for texts that do not match. */
const explosiveText = { type: 'string', maxLength: 10, pattern: '^(a|aa)+$' };

const errors = { '422': { description: 'Invalid' }, '400': { description: 'Malformed' } };
const operation = (operationId: string, schema: object, ...types: string[]) => ({
  post: {
    operationId,
    requestBody: {
      required: true,
      content: Object.fromEntries(['application/json', ...types].map((type) => [type, { schema }])),
    },
    responses: { '204': { description: 'Done' }, ...errors },
  },
});

const tree = reference('Tree');
const contract = documentOf(
  {
    '/list': operation('list', array(explosiveText)),
    '/unique': operation('unique', {
      type: 'array',
      uniqueItems: true,
      maxItems: 20_000,
      items: { type: 'object' },
    }),
    '/equal': operation('equal', {
      ...object({
        unique: { type: 'array', uniqueItems: true },
        one: { enum: [{ a: 1 }, { toString: 1 }] },
        constant: { const: { valueOf: 1 } },
        scalar: { enum: [...Array.from({ length: 300 }, (_, index) => `text ${index}`), 7, true, null] },
        many: { enum: [...Array.from({ length: 300 }, (_, a) => ({ a, b: [a] })), 'text'] },
        filled: object({ constructor: { type: 'string', default: 'made' } }),
      }),
      // With a union, Ajv collects the evaluated properties while it validates.
      anyOf: [{ required: ['one'] }, object({ filled: true })],
      unevaluatedProperties: false,
    }),
    '/tree': operation('tree', tree, 'application/x-www-form-urlencoded', 'multipart/form-data'),
    '/search': {
      get: {
        operationId: 'search',
        parameters: ['query', 'header'].map((place) => ({ name: 'tree', in: place, ...content(tree) })),
        responses: { '204': { description: 'Done' }, ...errors },
      },
    },
  },
  {
    components: {
      schemas: {
        Tree: object({ child: tree, children: array(tree) }),
      },
    },
  },
);

let send: Implementations;
beforeAll(async () => {
  send = await startImplementations(contract, afterAllTests);
});
const json = (value: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: typeof value === 'string' ? value : JSON.stringify(value),
});

const nested = (levels: number): string => `${'{"child":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;

describe.each(implementationNames)('%s', (name) => {
  test('runs no pattern on an item of a long list that is too long', async () => {
    const list = [`${'a'.repeat(400)}!`, ...Array.from({ length: 3_000 }, () => 'a')];
    const response = await send[name]('/list', json(list));
    expect([response.status, await response.text()]).toEqual([422, expect.stringContaining('/0')]);
  });

  test('finds duplicates among objects in any order of their properties', async () => {
    const items = Array.from({ length: 16_000 }, (_, index) => ({ a: index, b: [index] }));
    expect((await send[name]('/unique', json(items))).status).toBe(204);
    const duplicate = await send[name]('/unique', json([...items, { b: [7], a: 7 }]));
    expect(duplicate.status).toBe(422);
    expect((await send[name]('/unique', json('[{"a":1.0,"b":-0},{"b":0,"a":1}]'))).status).toBe(422);
    expect((await send[name]('/unique', json([{ a: '1' }, { a: 1 }, { a: [1] }, { a: null }]))).status).toBe(
      204,
    );
  });

  test.each([
    ['{"unique":[{"toString":1},{"toString":2},{"valueOf":null},{"constructor":{}}]}', 204],
    ['{"unique":[{"toString":1,"__proto__":2},{"__proto__":2,"toString":1}]}', 422],
    ['{"unique":["__proto__","toString"]}', 204],
    ['{"unique":["__proto__","__proto__"]}', 422],
    ['{"one":{"toString":1}}', 204],
    ['{"one":{"toString":2}}', 422],
    ['{"one":{"a":1,"valueOf":null}}', 422],
    ['{"constant":{"valueOf":1}}', 204],
    ['{"constant":{"valueOf":{"valueOf":1}}}', 422],
    ['{"scalar":"text 299"}', 204],
    ['{"scalar":7.0}', 204],
    ['{"scalar":null}', 204],
    ['{"scalar":"7"}', 422],
    ['{"scalar":"true"}', 422],
    ['{"scalar":["text 1"]}', 422],
    ['{"many":{"b":[299],"a":299}}', 204],
    ['{"many":"text"}', 204],
    ['{"many":{"a":1,"b":[2]}}', 422],
    ['{"many":{"a":1,"b":[1],"toString":1}}', 422],
    ['{"filled":{}}', 204],
    ['{"toString":1}', 422],
    ['{"__proto__":{}}', 422],
  ])('compares objects by their own properties: %s', async (body, status) => {
    expect((await send[name]('/equal', json(body))).status).toBe(status);
  });

  test.each([
    [100, 204],
    [101, 422],
    [100_000, 422],
  ])('responds to a body with %i levels with %i', async (levels, status) => {
    const response = await send[name]('/tree', json(nested(levels)));
    expect(response.status).toBe(status);
    if (status === 422) expect(await response.text()).toContain('nested more than 100 levels deep');
  });

  test('rejects forms that are nested too deeply', async () => {
    for (const [levels, accepted] of [
      [90, true],
      [5_000, false],
    ] as const) {
      const form = new URLSearchParams({ child: nested(levels) });
      const ofForm = await send[name]('/tree', { method: 'POST', body: form });
      expect(ofForm.status).toBe(accepted ? 204 : 422);
      const parts = new FormData();
      parts.append('child', nested(levels));
      expect((await send[name]('/tree', { method: 'POST', body: parts })).status).toBe(accepted ? 204 : 422);
      const list = new FormData();
      list.append('children', `[${nested(levels)}]`);
      const ofList = await send[name]('/tree', { method: 'POST', body: list });
      if (!accepted) expect(ofList.status).toBe(422);
    }
  });

  test('rejects forms with too many parts', async () => {
    const post = (count: number) => {
      const body = new FormData();
      for (let part = 0; part < count; part += 1) body.append('children', '{}');
      return send[name]('/tree', { method: 'POST', body });
    };
    expect((await post(5_000)).status).toBe(204);
    const response = await post(5_001);
    expect([response.status, await response.text()]).toEqual([
      422,
      expect.stringMatching(/more than .* parts/),
    ]);
  });

  test('rejects JSON in parameters that is nested too deeply', async () => {
    const inQuery = await send[name](`/search?tree=${encodeURIComponent(nested(600))}`);
    expect(inQuery.status).toBeLessThan(500);
    const inHeader = await send[name]('/search', { headers: { tree: nested(1_200) } });
    expect(inHeader.status).toBeLessThan(500);
  });
});

test('looks at each property a constant number of times to find duplicates', () => {
  const readsFor = (count: number): number => {
    let reads = 0;
    const counted = (value: object) =>
      new Proxy(value, {
        get(target, name, receiver) {
          reads += 1;
          return Reflect.get(target, name, receiver);
        },
      });
    expect(findDuplicate(Array.from({ length: count }, (_, a) => counted({ a, b: 'text' })))).toBeUndefined();
    return reads;
  };
  expect(readsFor(16_000)).toBe(16 * readsFor(1_000));
});

const validators: Record<string, (schema: object) => (value: unknown) => boolean> = {
  compiled: (schema) => createAjv({}).compile(schema),
  interpreted: (schema) => (value) =>
    interpretSchema({ schemas: {}, formats: {} }, { ...schema }, value, 1).length === 0,
};

test.each(Object.keys(validators).flatMap((how) => ['texts', 'objects'].map((kind) => ({ how, kind }))))(
  'reads the $kind of a long enumeration of a schema that is $how once, not for each value',
  ({ how, kind }) => {
    const readsFor = (count: number): number => {
      let reads = 0;
      const values = Array.from({ length: count }, (_, a) => (kind === 'texts' ? `text ${a}` : { a }));
      const counted = new Proxy(values, {
        get(target, name, receiver) {
          reads += 1;
          return Reflect.get(target, name, receiver);
        },
      });
      const isValid = validators[how]?.({ enum: counted });
      for (const value of values) expect(isValid?.(value)).toBe(true);
      return reads;
    };
    expect(readsFor(3_200)).toBeLessThan(9 * readsFor(400));
  },
);

test('does not count the compilation of a schema as work of the message that needs it first', () => {
  const values = Array.from({ length: 50_000 }, (_, index) => `text ${index}`);
  const isValid = withWorkLimit('text 7', () =>
    createAjv({ validateSchema: false }).compile({ enum: values })('text 7'),
  );
  expect(isValid).toBe(true);
});

test('rejects names that are too long if properties were evaluated in several parts', () => {
  const schema = {
    allOf: [
      { type: 'object', propertyNames: { maxLength: 5 }, patternProperties: { '^x': { type: 'string' } } },
    ],
    patternProperties: { '^y': { type: 'string' } },
    unevaluatedProperties: false,
  };
  const validate = createAjv({ allErrors: true }).compile(schema);
  expect(validate({ x: 'a', y: 'b' })).toBe(true);
  expect(validate({ ['y'.repeat(11)]: 'b' })).toBe(false);
});
