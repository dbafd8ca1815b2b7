import { isObject } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { pointerOf } from '../../lib/json-pointer.ts';
import { isKnownFormat } from './format-generators.ts';
import { isSchema, type JsonSchema, type SchemaObject } from './schema.ts';

/** The keywords of JSON Schema 2020-12 that generated values satisfy, and those that allow every value. */
const supported: ReadonlySet<string> = new Set(
  [
    '$ref type enum const allOf anyOf oneOf not if then else dependentSchemas',
    'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format',
    'minItems maxItems uniqueItems items prefixItems contains minContains maxContains unevaluatedItems',
    'properties patternProperties additionalProperties unevaluatedProperties propertyNames',
    'required dependentRequired minProperties maxProperties',
    'title description default examples example deprecated $comment $defs $schema',
    // The request generator handles readOnly and writeOnly.
    'readOnly writeOnly discriminator xml externalDocs',
    // Annotations since 2019-09: encoded content is not validated.
    'contentEncoding contentMediaType contentSchema',
  ].flatMap((line) => line.split(' ')),
);

/** A keyword that the generators do not support. Generated values may violate it. */
export interface UnsupportedKeyword {
  keyword: string;
  /** JSON Pointer to the keyword's schema: from the given schema, or from the document's root after a reference. */
  at: string;
}

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

/**
 * Returns the keywords of a schema that the generators do not support, visiting each reachable schema once.
 * @param resolve follows a reference
 */
export function unsupportedKeywords(
  schema: JsonSchema,
  resolve: (reference: string) => JsonSchema,
): UnsupportedKeyword[] {
  const found: UnsupportedKeyword[] = [];
  const seen = new Set<JsonSchema>();
  const visit = (each: JsonSchema, at: string): void => {
    if (typeof each === 'boolean' || seen.has(each)) return;
    seen.add(each);
    for (const keyword of Object.keys(each)) {
      if (keyword.startsWith('x-')) continue;
      if (!supported.has(keyword)) found.push({ keyword, at: at || '/' });
      else if (keyword === 'format' && !isKnownFormat(String(each.format)))
        found.push({ keyword: `format ${String(each.format)}`, at: at || '/' });
    }
    for (const inner of subschemasOf(each)) visit(inner.schema, at + inner.at);
    if (each.$ref !== undefined) visit(resolve(each.$ref), pointerOf(each.$ref));
  };
  visit(schema, '');
  return found;
}
