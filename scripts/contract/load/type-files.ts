import { isObject, listOf, objectOf } from '../../../server/lib/json-object.ts';
import { dereference } from '../../lib/json-pointer.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';

/**
 * Returns a document in which each file of a form has a type. OpenAPI 3.1 leaves the type of binary content out, and a
 * schema without one would accept several files of the same name where a form has one.
 * @see https://spec.openapis.org/oas/v3.1.1.html#considerations-for-file-uploads
 */
export function typeFiles(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  const bodies = Object.values(objectOf(copy.paths)).flatMap((item) =>
    Object.values(objectOf(item)).map((operation) => objectOf(operation).requestBody),
  );
  for (const body of bodies) {
    const content = objectOf(objectOf(dereference(copy, body)).content);
    for (const [mediaType, media] of Object.entries(content))
      if (/^multipart\/form-data\b/i.test(mediaType)) typeProperties(copy, objectOf(media).schema, 0);
  }
  return copy;
}

/** Combinations that are nested deeper are left as they are. */
const maxDepth = 5;

function typeProperties(document: OpenApiDocument, given: unknown, depth: number): void {
  const schema = dereference(document, given);
  if (!isObject(schema) || depth > maxDepth) return;
  for (const member of listOf(schema.allOf)) typeProperties(document, member, depth + 1);
  for (const each of Object.values(objectOf(schema.properties))) {
    const property = dereference(document, each);
    if (!isObject(property)) continue;
    typeFile(property);
    const items = dereference(document, property.items);
    if (isObject(items)) typeFile(items);
  }
}

function typeFile(schema: Record<string, unknown>): void {
  if (
    schema.type === undefined &&
    schema.contentMediaType !== undefined &&
    schema.contentEncoding === undefined
  )
    schema.type = 'string';
}
