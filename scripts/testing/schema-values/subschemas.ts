import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { isSchema, type JsonSchema, type SchemaObject } from './schema.ts';

const listsOfSchemas = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const mapsOfSchemas = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];
const schemas = [
  'items',
  'contains',
  'unevaluatedItems',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
];

/** Returns the direct subschemas of a schema, with JSON Pointers to them. */
export function subschemasOf(schema: SchemaObject): { at: string; schema: JsonSchema }[] {
  const found: { at: string; schema: JsonSchema }[] = [];
  const add = (at: string, value: unknown) => {
    if (isSchema(value)) found.push({ at, schema: value });
  };
  for (const word of schemas) add(`/${word}`, schema[word]);
  for (const word of listsOfSchemas) {
    const list = schema[word];
    if (Array.isArray(list)) for (const [index, each] of list.entries()) add(`/${word}/${index}`, each);
  }
  for (const word of mapsOfSchemas) {
    const map = schema[word];
    if (isObject(map))
      for (const [name, each] of Object.entries(map)) add(`/${word}/${escapePointer(name)}`, each);
  }
  return found;
}

/** Copies a schema with its direct subschemas replaced. */
export function mapSubschemas(
  schema: SchemaObject,
  map: (inner: JsonSchema, keyword: string) => JsonSchema,
): SchemaObject {
  const each = (keyword: string, value: unknown) => (isSchema(value) ? map(value, keyword) : value);
  return Object.fromEntries(
    Object.entries(schema).map(([word, value]) => {
      if (schemas.includes(word)) return [word, each(word, value)];
      if (listsOfSchemas.includes(word) && Array.isArray(value))
        return [word, value.map((inner) => each(word, inner))];
      if (mapsOfSchemas.includes(word) && isObject(value))
        return [
          word,
          Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, each(word, inner)])),
        ];
      return [word, value];
    }),
  );
}
