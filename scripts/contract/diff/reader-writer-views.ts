import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { mapSubschemas } from '../../testing/schema-values/keywords.ts';
import { type JsonSchema, type SchemaObject, schemasIn } from '../../testing/schema-values/schema.ts';
import { withSchemas } from '../model/reader-view.ts';
import type { ResolveReference } from './normalize-all-of.ts';

/** Keywords whose subschemas apply to properties or items, not to the value itself. */
const further = [
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'unevaluatedItems', 'contains'],
];

/**
 * Forbids unknown properties in every object schema that lists properties and does not restrict others. Otherwise a new
 * optional property would look like a restriction, because clients could previously send any value under its name.
 * @param document a normalized contract
 */
export function closeObjects(document: JsonObject, resolve: ResolveReference): JsonObject {
  const namesProperties = (schema: JsonSchema, within: readonly unknown[] = []): boolean =>
    isObject(schema) &&
    !within.includes(schema) &&
    (isObject(schema.properties) ||
      [
        schema.$ref === undefined ? undefined : resolve(schema.$ref),
        ...schemasIn(schema.allOf),
        ...schemasIn(schema.anyOf),
        ...schemasIn(schema.oneOf),
      ].some((each) => each !== undefined && namesProperties(each, [...within, schema])));
  const inside = (schema: SchemaObject): SchemaObject =>
    mapSubschemas(schema, (inner, keyword) => {
      if (!isObject(inner)) return inner;
      return further.includes(keyword) ? whole(inner) : inside(inner);
    });
  const whole = (schema: JsonSchema): JsonSchema => {
    if (!isObject(schema)) return schema;
    const isSaid = 'additionalProperties' in schema || 'unevaluatedProperties' in schema;
    return {
      ...inside(schema),
      ...(isSaid || !namesProperties(schema) ? {} : { unevaluatedProperties: false }),
    };
  };
  return withSchemas(document, whole, (schema) => (isObject(schema) ? inside(schema) : schema));
}
