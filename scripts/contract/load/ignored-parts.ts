import { isOpaque } from '../../../server/contract/media-type.ts';
import { isObject } from '../../../server/lib/json-object.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { holdsData, mapsOfNames } from './names-in-maps.ts';

/** Maximum number of names in a sentence. */
const maxNamed = 6;

/**
 * Describes the parts of a document that all tools ignore.
 * @param document a bundled document
 * @returns sentences
 */
export function ignoredParts(document: OpenApiDocument): string[] {
  const { mediaTypes, formats } = namesIn(document);
  const opaque = [...mediaTypes].filter(isOpaque);
  const unknown = [...formats].filter((format) => !Object.hasOwn(knownFormats, format));
  return [
    ...(opaque.length > 0 ? [`Bodies of ${listed(opaque)} are sent as bytes, and not validated.`] : []),
    ...(unknown.length > 0 ? [`Values of the format ${listed(unknown)} are not validated.`] : []),
  ];
}

function listed(names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return [...names].sort().slice(0, maxNamed).join(', ') + more;
}

/** Returns the media types of all bodies, and the formats of all schemas. */
function namesIn(document: OpenApiDocument): { mediaTypes: Set<string>; formats: Set<string> } {
  const found = { mediaTypes: new Set<string>(), formats: new Set<string>() };
  const visit = (node: unknown, key: string): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, '');
    if (!isObject(node) || holdsData.test(key)) return;
    if (key === 'content') for (const mediaType of Object.keys(node)) found.mediaTypes.add(mediaType);
    if (!mapsOfNames.test(key) && typeof node.format === 'string' && 'type' in node)
      found.formats.add(node.format);
    for (const [name, each] of Object.entries(node)) visit(each, mapsOfNames.test(key) ? 'member' : name);
  };
  visit(document, '');
  return found;
}
