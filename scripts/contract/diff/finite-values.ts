import type { SchemaObject } from '../../testing/schema-values/schema.ts';
import { finiteTextsOf } from './pattern-subset.ts';
import { typesOf } from './schema-side.ts';

/** Maximum number of values that are compared one by one. */
const maxValues = 100;

/** Returns values that include all that a schema allows; undefined if they are too many. */
export function finiteValuesOf(schema: SchemaObject): unknown[] | undefined {
  const { enum: values, minimum = Number.NaN, maximum, pattern } = schema;
  if (values) return values;
  const lists = typesOf(schema).map((each): unknown[] | undefined => {
    if (each === 'null') return [null];
    if (each === 'boolean') return [false, true];
    if (each === 'string') return pattern === undefined ? undefined : finiteTextsOf(pattern, maxValues);
    const count = each === 'integer' && maximum !== undefined ? maximum - minimum + 1 : Number.NaN;
    return count <= maxValues
      ? Array.from({ length: Math.max(0, count) }, (_, index) => minimum + index)
      : undefined;
  });
  return lists.length > 0 && lists.every((list) => list !== undefined) ? lists.flat() : undefined;
}
