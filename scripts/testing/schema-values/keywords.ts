import { pointerOf } from '../../lib/json-pointer.ts';
import { isKnownFormat } from './format-generators.ts';
import type { JsonSchema } from './schema.ts';
import { subschemasOf } from './subschemas.ts';

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

/** Whether JSON Schema 2020-12 or OpenAPI defines a keyword. Others have no effect (JSON Schema Core, section 6.5). */
export const isKeyword = (word: string): boolean => supported.has(word) || word.startsWith('$');

/** Keywords that only affect values of one type. */
const keywordsOfTypes: readonly (readonly [type: RegExp, keywords: RegExp])[] = [
  [/^object$/, /^(required|properties|(pattern|additional|unevaluated|min|max)Properties|propertyNames)$/],
  [/^object$/, /^dependent(Required|Schemas)$/],
  [/^array$/, /^(items|prefixItems|unevaluatedItems|(min|max)Items|uniqueItems|(min|max)?contains)$/i],
  [/^string$/, /^((min|max)Length|pattern)$/],
  [/^(integer|number)$/, /^(multipleOf|minimum|maximum|exclusiveM(in|ax)imum)$/],
];

/** Returns the types whose values a keyword affects; undefined if it affects all. */
export const typesOfKeyword = (word: string): RegExp | undefined =>
  keywordsOfTypes.find(([, keywords]) => keywords.test(word))?.[0];

/** A keyword that the generators do not support. Generated values may violate it. */
export interface UnsupportedKeyword {
  keyword: string;
  /** JSON Pointer to the keyword's schema: from the given schema, or from the document's root after a reference. */
  at: string;
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
