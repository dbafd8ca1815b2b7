import { parse } from 'node:querystring';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planForm } from '../../../../scripts/contract/compile/plan-form.ts';
import { readForm } from '../../../../server/validation/parameters/read-form.ts';
import { sampleCount, seed } from '../../../support/sampling.ts';

const plan = planForm(
  { mediaType: 'application/x-www-form-urlencoded', schema: true, node: {} },
  () => undefined,
);
const read = (text: string) => readForm(plan, text, {}, () => true, []);

const part = fc.oneof(
  fc.string({ maxLength: 6 }),
  fc.string({ maxLength: 4, unit: 'binary' }).map(encodeURIComponent),
  fc.constantFrom('a', 'page', '__proto__', '%zz', '+', '%2B', 'ä', 'a[b]', ''),
);
const field = fc.oneof(
  fc.tuple(part, part).map(([name, value]) => `${name}=${value}`),
  part,
);

test('a form without a schema is parsed like by node:querystring', () => {
  const forms = fc.array(field, { maxLength: 5 }).map((all) => all.join('&'));
  fc.assert(
    fc.property(forms, (text) => {
      expect(read(text), text).toEqual({ ...parse(text, '&', '=', { maxKeys: 0 }) });
    }),
    { numRuns: sampleCount(500), seed },
  );
});

test('a form that combines itself many times is planned in linear time', () => {
  const reference = { $ref: '#/components/schemas/Form' };
  const schema = {
    properties: { name: { type: 'string' } },
    anyOf: Array.from({ length: 20 }, () => reference),
  };
  let resolved = 0;
  const resolve = () => {
    resolved += 1;
    if (resolved > 1_000) throw new Error('The time is not linear.');
    return schema;
  };
  const { parts } = planForm({ mediaType: 'multipart/form-data', schema: reference, node: {} }, resolve);
  expect(parts).toEqual({ name: { isFile: false, isList: false } });
});
