import { isObject } from '../../../server/lib/json-object.ts';
import { targetOf } from '../../lib/json-pointer.ts';
import {
  isSchema,
  type JsonSchema,
  type SchemaObject,
  schemasIn,
} from '../../testing/schema-values/schema.ts';
import { mapSubschemas } from '../../testing/schema-values/subschemas.ts';
import type { Contract } from '../model/contract.ts';
import { withOtherSchemas } from './schema-side.ts';

/** Keywords whose subschemas apply to properties or items, not to the value itself. */
const further = [
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'unevaluatedItems', 'contains'],
];

/**
 * Returns a contract whose writers send only properties that it names: unknown ones are forbidden in every object schema that
 * lists properties and does not restrict others. Otherwise a new optional property would look like a restriction, because
 * clients could previously send any value under its name. A required property that no schema lists may have any value.
 * @param contract a normalized contract
 */
export function withClosedObjects(contract: Contract): Contract {
  const resolve = (reference: string): JsonSchema | undefined => {
    const found = targetOf(contract.document, reference);
    return isSchema(found) ? found : undefined;
  };
  /** Returns the schemas that apply to the same value, or may apply to it. */
  const partsOf = (schema: JsonSchema, found = new Set<SchemaObject>()): Set<SchemaObject> => {
    if (!isObject(schema) || found.has(schema)) return found;
    found.add(schema);
    const target = schema.$ref === undefined ? undefined : resolve(schema.$ref);
    if (target !== undefined) partsOf(target, found);
    for (const list of [schema.allOf, schema.anyOf, schema.oneOf])
      for (const each of schemasIn(list)) partsOf(each, found);
    return found;
  };
  const inside = (schema: SchemaObject): SchemaObject =>
    mapSubschemas(schema, (inner, keyword) => {
      if (!isObject(inner)) return inner;
      return further.includes(keyword) ? whole(inner) : inside(inner);
    });
  const whole = (schema: JsonSchema): JsonSchema => {
    if (!isObject(schema)) return schema;
    const isSaid = 'additionalProperties' in schema || 'unevaluatedProperties' in schema;
    const parts = isSaid ? [] : [...partsOf(schema)];
    if (!parts.some((part) => isObject(part.properties))) return inside(schema);
    const named = new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties)));
    const required = parts.flatMap((part) => part.required ?? []);
    const unnamed = required.filter((name) => !named.has(name)).map((name) => [name, true] as const);
    const closed = { ...inside(schema), unevaluatedProperties: false };
    return unnamed.length === 0
      ? closed
      : { ...closed, properties: { ...Object.fromEntries(unnamed), ...closed.properties } };
  };
  return withOtherSchemas(contract, whole, (schema) => (isObject(schema) ? inside(schema) : schema));
}
