import fc from 'fast-check';
import { tryGenerate } from '../../testing/schema-values/arbitrary.ts';
import type { JsonSchema } from '../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../testing/schema-values/schema-context.ts';
import { valuesOf } from '../../testing/schema-values/values.ts';

/**
 * Returns a generated value that can be sent in a header; an empty one if 50 generated values cannot.
 * @param seed the same seed produces the same value
 */
export function headerValueOf(context: SchemaContext, schema: JsonSchema, seed: number): string {
  const values = tryGenerate(() => fc.sample(valuesOf(context, [schema]), { numRuns: 50, seed })) ?? [];
  return values.map(String).find((value) => /^[!-~]([ -~]*[!-~])?$/.test(value)) ?? '';
}
