import { bodyFormatOf } from '../../../server/contract/media-type.ts';
import { isObject, objectOf } from '../../../server/lib/json-object.ts';
import { escapePointer } from '../../../server/lib/json-text.ts';
import { targetOf } from '../../lib/json-pointer.ts';
import { knownFormats } from '../../lib/known-formats.ts';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { isUnread } from '../compile/unread-body.ts';
import type { Note } from './diagnosis.ts';
import { mapsOfNames, visitObjects } from './visit-objects.ts';

/** Maximum number of names in a sentence. */
const maxNamed = 6;

/**
 * Describes the parts of a document that all tools ignore, each with the first place where it occurs.
 * @param document a bundled document
 */
export function ignoredParts(document: OpenApiDocument): Note[] {
  const { mediaTypes, formats, rules } = namesIn(document);
  const unknown = [...formats].filter(([format]) => !Object.hasOwn(knownFormats, format));
  return [
    ...noteAbout([...mediaTypes], (names) => `Bodies of ${names} are sent as they are, and not validated.`),
    ...noteAbout(
      unknown,
      (names) => `Values of the format ${names} are not validated. Add a pattern to each of these schemas.`,
    ),
    ...noteAbout(
      [...rules],
      (names) =>
        `An entry of x-rules is ignored: ${names}. Write an object, such as { fields: [query/to], rule: "to is after from" }.`,
    ),
  ];
}

function noteAbout(
  found: readonly [name: string, pointer: string][],
  sentenceOf: (names: string) => string,
): Note[] {
  const [first] = found;
  if (first === undefined) return [];
  const more = found.length > maxNamed ? ` and ${found.length - maxNamed} more` : '';
  const names = found.map(([name]) => name).sort();
  return [{ pointer: first[1], sentence: sentenceOf(names.slice(0, maxNamed).join(', ') + more) }];
}

/** Whether the schema of a body says only that it is bytes, so that there is nothing to validate: `type: string`. */
function describesBytes(content: unknown): boolean {
  const { type = 'string', ...others } = objectOf(objectOf(content).schema);
  return type === 'string' && Object.keys(others).every((word) => ofBytes.test(word));
}

const ofBytes = /^(format|contentMediaType|title|description|examples?|x-.*)$/;

const isRule = (value: unknown): boolean =>
  isObject(value) && typeof value.rule === 'string' && Array.isArray(value.fields ?? []);

/** Returns the media types of bodies that are not validated, unless they are described as bytes, the formats of all schemas and the malformed rules, each with the pointer to its first occurrence. */
function namesIn(document: OpenApiDocument) {
  const found = {
    mediaTypes: new Map<string, string>(),
    formats: new Map<string, string>(),
    rules: new Map<string, string>(),
  };
  const add = (names: Map<string, string>, name: string, pointer: string) => {
    if (!names.has(name)) names.set(name, pointer);
  };
  const isUnreadAt = (pointer: string, mediaType: string, content: unknown) =>
    isUnread({ mediaType, schema: objectOf(content).schema }, (reference) => targetOf(document, reference)) ||
    // Only requests with parts are read.
    (bodyFormatOf(mediaType) === 'multipart' && pointer.includes('/responses/'));
  visitObjects(document, (node, key, pointer) => {
    if (key === 'content')
      for (const [mediaType, content] of Object.entries(node))
        if (!describesBytes(content) && isUnreadAt(pointer, mediaType, content))
          add(found.mediaTypes, mediaType, `${pointer}/${escapePointer(mediaType)}`);
    if (mapsOfNames.test(key)) return;
    if ('x-rules' in node)
      for (const [at, rule] of [node['x-rules']].flat().entries())
        if (!isRule(rule)) add(found.rules, JSON.stringify(rule).slice(0, 60), `${pointer}/x-rules/${at}`);
    if (typeof node.format === 'string' && 'type' in node && !('pattern' in node))
      add(found.formats, node.format, `${pointer}/format`);
  });
  return found;
}
