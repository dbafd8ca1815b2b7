import fc from 'fast-check';
import { expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { locationsIn, withValue } from '../../../scripts/contract/mock/scenarios/json-locations.ts';
import { operationsOf } from '../../../scripts/testing/requests/operations.ts';
import { createSchemaContext } from '../../../scripts/testing/schema-values/schema-context.ts';
import { valuesOf } from '../../../scripts/testing/schema-values/values.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { sampleCount, seed } from '../../support/sampling.ts';

const context = createSchemaContext(document);
const bodies = operationsOf(context).flatMap(({ id, body }) =>
  (body?.content ?? []).map(({ schema }) => ({ id, schema })),
);

// D15: a misspelt property must not be ignored.
test.each(bodies)('$id accepts no unknown property, at any depth of its body', ({ schema }) => {
  for (const body of fc.sample(valuesOf(context, [schema]), { numRuns: sampleCount(50), seed }))
    for (const { pointer, value } of locationsIn(body))
      if (isObject(value)) {
        const changed = withValue(body, pointer, { ...value, unknown_property: 1 });
        expect(context.isValid(schema, changed), JSON.stringify(changed)).toBe(false);
      }
});
