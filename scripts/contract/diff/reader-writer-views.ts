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
 * clients could previously send any value under its name.
 * @param contract a normalized contract
 */
export function withClosedObjects(contract: Contract): Contract {
  const resolve = (reference: string): JsonSchema | undefined => {
    const found = targetOf(contract.document, reference);
    return isSchema(found) ? found : undefined;
  };
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
  return withOtherSchemas(contract, whole, (schema) => (isObject(schema) ? inside(schema) : schema));
}
