import { bodyFormatOf } from '../../../server/pipeline/media-type.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { isObject } from '../../testing/schema-values/schema.ts';

/** Maximum number of media types that a sentence names. */
const maxNamed = 6;

/**
 * Describes the parts of a document that all tools ignore.
 * @param document a bundled document
 * @returns sentences
 */
export function ignoredParts(document: OpenApiDocument): string[] {
  const opaque = [...mediaTypesIn(document)].filter(isOpaque).sort();
  if (opaque.length === 0) return [];
  const more = opaque.length > maxNamed ? ` and ${opaque.length - maxNamed} more` : '';
  return [`Bodies of ${opaque.slice(0, maxNamed).join(', ')}${more} are sent as bytes, and not validated.`];
}

const isOpaque = (mediaType: string): boolean =>
  !mediaType.includes('*') && bodyFormatOf(mediaType.split(';')[0]?.trim().toLowerCase() ?? '') === 'bytes';

function mediaTypesIn(document: OpenApiDocument): Set<string> {
  const found = new Set<string>();
  const visit = (node: unknown, key: string): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, '');
    // Schemas and examples have no media types.
    if (!isObject(node) || /^(schemas?|examples?|x-.*)$/.test(key)) return;
    if (key === 'content') for (const mediaType of Object.keys(node)) found.add(mediaType);
    for (const [name, each] of Object.entries(node)) visit(each, name);
  };
  visit(document, '');
  return found;
}
