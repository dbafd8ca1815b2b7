import { bodyFormatOf } from '../../../server/contract/media-type.ts';
import { isBinary } from '../../../server/contract/multipart-form.ts';
import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { dereference } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';

/**
 * Returns a document in which each file of a form has a type. OpenAPI 3.1 leaves the type of binary content out, and a
 * schema without one would accept several files of the same name where a form has one.
 * @returns the same document if it has no forms with files
 * @see https://spec.openapis.org/oas/v3.1.1.html#considerations-for-file-uploads
 */
export function typeFiles(document: OpenApiDocument): OpenApiDocument {
  if (formsIn(document).length === 0) return document;
  const copy = structuredClone(document);
  const seen = new Set<object>();
  const typeProperties = (given: unknown): void => {
    const schema = dereference(copy, given);
    if (!isObject(schema) || seen.has(schema)) return;
    seen.add(schema);
    for (const word of ['allOf', 'anyOf', 'oneOf']) listOf(schema[word]).forEach(typeProperties);
    for (const each of Object.values(objectOf(schema.properties))) {
      const property = dereference(copy, each);
      typeFile(property);
      typeFile(dereference(copy, objectOf(property).items));
    }
  };
  formsIn(copy).forEach(typeProperties);
  return copy;
}

/** Returns the schemas of the forms that can have files. */
const formsIn = (document: OpenApiDocument): unknown[] =>
  Object.values(objectOf(document.paths))
    .flatMap((item) => Object.values(objectOf(item)))
    .flatMap((operation) => {
      const body = dereference(document, objectOf(operation).requestBody);
      return Object.entries(objectOf(objectOf(body).content));
    })
    .filter(([mediaType]) => bodyFormatOf(mediaType) === 'multipart')
    .map(([, media]) => objectOf(media).schema);

function typeFile(schema: unknown): void {
  if (isObject(schema) && schema.type === undefined && isBinary(schema)) schema.type = 'string';
}
