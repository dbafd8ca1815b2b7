import { mapSubschemas } from '../../testing/schema-values/keywords.ts';
import {
  isObject,
  isSchema,
  type JsonSchema,
  type SchemaObject,
} from '../../testing/schema-values/schema.ts';
import type { ResolveReference } from './normalize-all-of.ts';

type Node = Record<string, unknown>;

/** Keywords whose schemas describe a different value than the one they are applied to. */
const further = [
  ...['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'],
  ...['items', 'prefixItems', 'unevaluatedItems', 'contains'],
];

/**
 * Closes all objects of a document. Otherwise a new optional property would look like a restriction for clients that
 * happened to send it.
 * @param document normalized
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

/** Opens all objects of a document, because readers ignore unknown properties. */
export function openObjects(document: Node): Node {
  const open = (schema: JsonSchema): JsonSchema => {
    if (!isObject(schema)) return schema;
    const { additionalProperties, unevaluatedProperties, ...rest } = schema;
    return mapSubschemas(
      {
        ...rest,
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

/** Returns a copy in which each top-level and shared schema is replaced. */
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
