import { expect, test } from 'vitest';
import { boundaryValuesOf } from '../../../../scripts/testing/schema-values/boundary-values.ts';
import type { JsonSchema } from '../../../../scripts/testing/schema-values/schema.ts';
import { createSchemaContext } from '../../../../scripts/testing/schema-values/schema-context.ts';

const context = createSchemaContext({});
const items = { enum: ['low', 'medium', 'high'] };
const lengths = (schema: JsonSchema) =>
  boundaryValuesOf(context, schema).values.map(({ value }) => (value as unknown[]).length);

test('skips values beyond a limit that unique items cannot exceed, instead of searching forever', () => {
  expect(lengths({ type: 'array', uniqueItems: true, maxItems: 3, items })).toEqual([2, 3]);
  expect(lengths({ type: 'array', uniqueItems: true, maxItems: 2, items })).toEqual([1, 2, 3]);
});
