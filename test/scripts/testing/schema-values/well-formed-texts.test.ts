import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../../scripts/testing/schema-values/values.ts';

test('texts for a pattern have no half of a character, which no request can carry', () => {
  const values = valuesOf(createSchemaContext({}), [
    { type: 'string', pattern: String.raw`^[a-z\u00a1-\uffff]+$` },
  ]);
  const texts = fc.sample(values, { numRuns: 3_000, seed: 1 }).map(String);
  expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
});
