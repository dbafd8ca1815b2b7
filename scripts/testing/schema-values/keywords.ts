import { isKnownFormat } from './formats.ts';
import { isObject, isSchema, type JsonSchema, type SchemaObject } from './schema.ts';

/**
 * What is done with each keyword of JSON Schema 2020-12.
 * - made: values are built to fit it, and built to break it
 * - sieved: values are built without it, and kept where Ajv says that they fit
 * - told: it says something to people, and allows or forbids nothing
 */
export const treatments: Readonly<Record<string, 'made' | 'sieved' | 'told'>> = {
  ...all('made', [
    '$ref',
    'type',
    'enum',
    'const',
    'allOf',
    'anyOf',
    'if',
    'then',
    'else',
    'dependentSchemas',
  ]),
  ...all('made', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']),
  ...all('made', ['minLength', 'maxLength', 'pattern', 'format']),
  ...all('made', ['minItems', 'maxItems', 'uniqueItems', 'items', 'prefixItems', 'contains', 'minContains']),
  ...all('made', ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties']),
  ...all('made', ['required', 'dependentRequired', 'propertyNames', 'minProperties', 'maxProperties']),
  ...all('sieved', ['oneOf', 'not', 'maxContains', 'unevaluatedItems']),
  ...all('told', [
    'title',
    'description',
    'default',
    'examples',
    'example',
    'deprecated',
    '$comment',
    '$defs',
  ]),
  // readOnly and writeOnly are for whoever sends: see the generator of requests.
  ...all('told', ['readOnly', 'writeOnly', 'discriminator', 'xml', 'externalDocs', '$schema']),
  // Annotations since 2019-09: what is encoded in a string is not judged.
  ...all('told', ['contentEncoding', 'contentMediaType', 'contentSchema']),
};

function all<T>(treatment: T, names: string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, treatment]));
}

/** Words that JSON Schema has and that nothing here understands. A value of such a schema may be wrong. */
export interface UnsupportedKeyword {
  keyword: string;
  /** JSON Pointer into the schema, references followed. */
  at: string;
}

export interface KeywordSurvey {
  /** How often each keyword that is understood occurs. */
  used: Map<string, number>;
  unsupported: UnsupportedKeyword[];
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

/** The schemas that stand directly in another, with the way to each. */
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
    if (isObject(map)) for (const [name, each] of Object.entries(map)) add(`/${word}/${name}`, each);
  }
  return found;
}

/** A copy of a schema, in which something else stands for each schema directly in it. */
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
 * Which keywords a schema uses, each schema that it reaches looked at once.
 * @param resolve follows a reference
 */
export function surveyKeywords(
  schema: JsonSchema,
  resolve: (reference: string) => JsonSchema,
): KeywordSurvey {
  const survey: KeywordSurvey = { used: new Map(), unsupported: [] };
  const seen = new Set<JsonSchema>();
  const visit = (each: JsonSchema, at: string): void => {
    if (typeof each === 'boolean' || seen.has(each)) return;
    seen.add(each);
    for (const keyword of Object.keys(each)) {
      if (keyword.startsWith('x-')) continue;
      if (!Object.hasOwn(treatments, keyword)) survey.unsupported.push({ keyword, at: at || '/' });
      else if (keyword === 'format' && !isKnownFormat(String(each.format)))
        survey.unsupported.push({ keyword: `format ${String(each.format)}`, at: at || '/' });
      else survey.used.set(keyword, (survey.used.get(keyword) ?? 0) + 1);
    }
    for (const inner of subschemasOf(each)) visit(inner.schema, at + inner.at);
    if (each.$ref !== undefined) visit(resolve(each.$ref), each.$ref.slice(each.$ref.indexOf('#') + 1));
  };
  visit(schema, '');
  return survey;
}
