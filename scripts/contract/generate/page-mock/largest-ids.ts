import { oncePer } from '../../../lib/once.ts';
import type { JsonSchema } from '../../../testing/schema-values/schema.ts';
import type { SchemaContext } from '../../../testing/schema-values/schema-context.ts';

const lengths = [255, 200, 100, 64, 50, 40, 36, 30, 20];
const integers = [Number.MAX_SAFE_INTEGER, 2 ** 31 - 1, 65_535];

/** Returns the length of the longest text, or the largest integer, that the IDs of a schema may be. */
export type LargestIdOf = (schema: JsonSchema) => number | undefined;

/**
 * Creates a function for the IDs of a contract. Clients send IDs back, so the parameters that take such IDs must allow the
 * largest ones too.
 * @param parameters the schemas of all parameters that take IDs
 * @returns the function; it returns undefined for IDs that may not be any text or integer
 */
export function createLargestIds(context: SchemaContext, parameters: readonly JsonSchema[]): LargestIdOf {
  const distinct = [...new Map(parameters.map((each) => [keyOf(each), each])).values()];
  const largest = <Value>(
    schema: JsonSchema,
    usual: Value,
    sizes: readonly number[],
    ofSize: (size: number) => Value,
  ): number | undefined => {
    if (!context.isValid(schema, usual)) return undefined;
    const schemas = [schema, ...distinct.filter((each) => context.isValid(each, usual))];
    return sizes.find((size) => schemas.every((each) => context.isValid(each, ofSize(size))));
  };
  return oncePer(
    (schema) =>
      largest(schema, 'x1', lengths, (length) => 'x'.repeat(length)) ??
      largest(schema, 1, integers, (integer) => integer),
    keyOf,
  );
}

/** The resource type does not matter to the size. */
const keyOf = (schema: JsonSchema): string =>
  JSON.stringify(typeof schema === 'object' ? { ...schema, 'x-id-of': undefined } : schema);
