import { isObject } from '../../../server/lib/json-object.ts';
import { mergeOwn } from '../../../server/lib/own-property.ts';
import type { JsonSchema, SchemaObject } from './schema.ts';
import type { SchemaContext } from './schema-context.ts';

/** Maximum depth of nested references and `allOf`. They may be circular. */
const maxDepth = 10;

/** Returns an object schema with the properties of its `$ref` and `allOf`; undefined for other schemas. */
export function objectSchema(
  context: SchemaContext,
  schema: JsonSchema,
  depth = 0,
): SchemaObject | undefined {
  if (!isObject(schema) || depth > maxDepth || ![schema.type ?? 'object'].flat().includes('object'))
    return undefined;
  const { $ref, allOf = [] } = schema;
  const inner = (part: JsonSchema) => objectSchema(context, part, depth + 1);
  const referred = $ref === undefined ? undefined : inner(context.resolve($ref));
  const parts = [referred, ...allOf.map(inner)].filter((part) => part !== undefined);
  if (!isObject(schema.properties) && parts.length === 0) return undefined;
  return {
    ...referred,
    ...schema,
    properties: mergeOwn([...parts.map((part) => part.properties), schema.properties]),
    required: [...parts.flatMap((part) => part.required ?? []), ...(schema.required ?? [])],
  };
}

/** Returns the properties of a schema, including those of its `$ref` and `allOf`. */
export const schemaProperties = (context: SchemaContext, schema: JsonSchema): Record<string, JsonSchema> =>
  objectSchema(context, schema)?.properties ?? {};

/** Returns the schema to which one reference leads, or the schema itself. */
export const resolved = (context: SchemaContext, schema: JsonSchema): JsonSchema =>
  isObject(schema) && schema.$ref !== undefined ? context.resolve(schema.$ref) : schema;
