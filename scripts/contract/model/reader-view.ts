import { isObject, type JsonObject } from '../../../server/lib/json-object.ts';
import { isSchema, type JsonSchema } from '../../testing/schema-values/schema.ts';
import { mapSubschemas } from '../../testing/schema-values/subschemas.ts';

/** If this extension is true, clients accept values that the schema's `enum` does not list. */
export const openEnum = 'x-open-enum';

/** The extensions that mark an enumeration that may get more values. */
export const openMarks = [openEnum, 'x-extensible-enum'];

/** Whether a schema is an enumeration that may get more values. */
export const isOpenEnum = (schema: JsonObject): boolean =>
  openMarks.some((mark) => schema[mark] !== undefined && schema[mark] !== false);

/**
 * Returns the document with schemas that accept what readers of responses accept: unknown properties in closed objects,
 * and unknown values of open enumerations.
 */
export function acceptedByReaders(document: JsonObject): JsonObject {
  const open = (schema: JsonSchema): JsonSchema => {
    if (!isObject(schema)) return schema;
    const { additionalProperties, unevaluatedProperties, enum: values, ...rest } = schema;
    return mapSubschemas(
      {
        ...rest,
        ...(values === undefined || isOpenEnum(rest) ? {} : { enum: values }),
        ...(additionalProperties === undefined || additionalProperties === false
          ? {}
          : { additionalProperties }),
        ...(unevaluatedProperties === undefined || unevaluatedProperties === false
          ? {}
          : { unevaluatedProperties }),
      },
      open,
    );
  };
  return withSchemas(document, open, open);
}

/**
 * Copies a document and replaces its schemas.
 * @param whole replaces the schema of a body, parameter or header
 * @param shared replaces a schema in `components/schemas`
 */
export function withSchemas(
  document: JsonObject,
  whole: (schema: JsonSchema) => JsonSchema,
  shared: (schema: JsonSchema) => JsonSchema,
): JsonObject {
  const copy = (node: unknown, word: string): unknown => {
    if (word === 'schema' && isSchema(node)) {
      const made = whole(node);
      if (!isObject(made) || !isSchema(made.contentSchema)) return made;
      return { ...made, contentSchema: whole(made.contentSchema) };
    }
    if (word === 'schemas' && isObject(node))
      return Object.fromEntries(
        Object.entries(node).map(([name, schema]) => [name, isSchema(schema) ? shared(schema) : schema]),
      );
    if (Array.isArray(node)) return node.map((each) => copy(each, ''));
    if (!isObject(node)) return node;
    return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, copy(value, name)]));
  };
  const made = copy(document, '');
  return isObject(made) ? made : {};
}
