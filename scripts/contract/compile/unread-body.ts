import { bodyFormatOf, isOpaque } from '../../../server/contract/media-type.ts';
import { listOf, objectOf } from '../../../server/lib/json-object.ts';
import { followReferences } from '../../lib/json-pointer.ts';

/**
 * Whether bodies are not read into the values that their schema describes, so that they cannot be validated: bytes, and
 * texts whose schema describes lists or objects, such as CSV and event streams.
 */
export function isUnread(
  { mediaType, schema }: { mediaType: string; schema?: unknown },
  resolve: (reference: string) => unknown,
): boolean {
  const hasSyntax = bodyFormatOf(mediaType) === 'text' && !/^text\/plain\b/i.test(mediaType);
  return isOpaque(mediaType) || (hasSyntax && isStructure(schema, resolve, 0));
}

/** Whether a schema allows no text, as far as its types say. */
function isStructure(schema: unknown, resolve: (reference: string) => unknown, depth: number): boolean {
  if (depth > 5) return false;
  const { type, allOf, anyOf, oneOf, ...rest } = objectOf(followReferences(schema, resolve).node);
  const isInside = (each: unknown) => isStructure(each, resolve, depth + 1);
  if (type !== undefined) return [type].flat().every((each) => each === 'object' || each === 'array');
  const unions = [anyOf, oneOf].map(listOf).filter((branches) => branches.length > 0);
  return (
    'properties' in rest ||
    'items' in rest ||
    listOf(allOf).some(isInside) ||
    unions.some((branches) => branches.every(isInside))
  );
}
