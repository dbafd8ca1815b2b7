import { isObject } from '../../../server/lib/json-object.ts';
import { mergeOwn } from '../../../server/lib/own-property.ts';
import type { JsonSchema, SchemaObject } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/** Maximum depth of nested `allOf`. It may be circular. */
const maxDepth = 5;

/** Returns an object schema with the properties of its `allOf`; undefined for other schemas. */
export function objectSchema(context: SchemaContext, given: JsonSchema, depth = 0): SchemaObject | undefined {
  const schema = resolved(context, given);
  if (!isObject(schema) || depth > maxDepth || (schema.type ?? 'object') !== 'object') return undefined;
  const parts = (schema.allOf ?? [])
    .map((part) => objectSchema(context, part, depth + 1))
    .filter((part): part is SchemaObject => part !== undefined);
  if (!isObject(schema.properties) && parts.length === 0) return undefined;
  return {
    ...schema,
    properties: mergeOwn([...parts.map((part) => part.properties), schema.properties]),
    required: [...parts.flatMap((part) => part.required ?? []), ...(schema.required ?? [])],
  };
}

/** Returns the schema to which one reference leads, or the schema itself. */
export const resolved = (context: SchemaContext, schema: JsonSchema): JsonSchema =>
  isObject(schema) && schema.$ref !== undefined ? context.resolve(schema.$ref) : schema;
