import { mapSubschemas } from '../../testing/schema-values/keywords.ts';
import {
  isObject,
  isSchema,
  type JsonSchema,
  type SchemaObject,
} from '../../testing/schema-values/schema.ts';
import type { ResolveReference } from './normalize-all-of.ts';
import { openEnum } from './normalize-schema.ts';

type Node = Record<string, unknown>;

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
export function closeObjects(document: Node, resolve: ResolveReference): Node {
  const namesProperties = (schema: JsonSchema, within: readonly unknown[] = []): boolean =>
    isObject(schema) &&
    !within.includes(schema) &&
    (isObject(schema.properties) ||
      [
        schema.$ref === undefined ? undefined : resolve(schema.$ref),
        ...listOf(schema.allOf),
        ...listOf(schema.anyOf),
        ...listOf(schema.oneOf),
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

/**
 * Returns the document with schemas that accept what readers of responses accept: unknown properties in closed objects,
 * and unknown values of open enumerations.
 */
export function acceptedByReaders(document: Node): Node {
  const open = (schema: JsonSchema): JsonSchema => {
    if (!isObject(schema)) return schema;
    const { additionalProperties, unevaluatedProperties, enum: values, ...rest } = schema;
    return mapSubschemas(
      {
        ...rest,
        ...(values === undefined || rest[openEnum] === true ? {} : { enum: values }),
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
function withSchemas(
  document: Node,
  whole: (schema: JsonSchema) => JsonSchema,
  shared: (schema: JsonSchema) => JsonSchema,
): Node {
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

const listOf = (value: unknown): JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);
