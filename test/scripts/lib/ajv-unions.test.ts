import { expect, test } from 'vitest';
import { createAjv } from '../../../scripts/lib/create-ajv.ts';

const ajv = createAjv({ strict: false, allErrors: true, unevaluated: true, code: { source: true } });
const quick = createAjv({ strict: false, code: { source: true } });
quick.opts.unevaluated = false;

/** Branches that each allow another property, and the number of the property before it. */
const branches = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    type: 'object',
    required: [`a${at}`],
    properties: { [`a${at}`]: { type: 'string' }, [`a${at - 1}`]: true },
  }));

const none = { b: 'x' };
const first = { a0: 'x' };
const last = { a9: 'x', a8: 1 };
const both = { a3: 'x', a4: 'x' };
const apart = { a0: 'x', a9: 'x' };
const three = { a0: 'x', a4: 'x', a9: 'x' };
const values = [none, first, last, both, apart, three, { a9: 'x', b: 1 }, { a5: 1 }, 1];

/** Schemas of which only the first few branches apply to the values: Ajv nests the code of the shorter ones. */
const schemas = (count: number) =>
  ['oneOf', 'anyOf'].flatMap((keyword) => [
    { [keyword]: branches(count) },
    { [keyword]: branches(count), unevaluatedProperties: false },
    { [keyword]: [...branches(count - 1), true] },
    { [keyword]: [...branches(count - 1), {}], unevaluatedProperties: false },
  ]);

test.each(schemas(70).map((many, at) => [Object.keys(many).join(), many, schemas(12)[at] ?? {}] as const))(
  'a union of many branches allows what one of few branches allows: %s',
  (_, many, few) => {
    for (const tool of [ajv, quick]) {
      const [validateMany, validateFew] = [tool.compile(many), tool.compile(few)];
      for (const value of values) expect([value, validateMany(value)]).toEqual([value, validateFew(value)]);
    }
  },
);

test('the error of oneOf names the branches that both allow the value', () => {
  const validate = ajv.compile({ oneOf: branches(70) });
  validate(three);
  expect(validate.errors?.at(-1)).toMatchObject({ keyword: 'oneOf', params: { passingSchemas: [0, 4] } });
});

test.each(['oneOf', 'anyOf'])('the code of %s nests no branch in another one', (keyword) => {
  const code = quick.compile({ [keyword]: branches(200) }).source?.validateCode.toString() ?? '';
  let depth = 0;
  const depths = [...code].map((sign) => (depth += sign === '{' ? 1 : sign === '}' ? -1 : 0));
  expect(Math.max(...depths.slice(0, 100_000))).toBeLessThan(20);
});
