import {
  documentedType,
  hasOtherValueIn,
  isJson,
  mediaTypeParts,
  parseMediaType,
} from '../../../server/contract/media-type.ts';

/**
 * Returns the quality that an `Accept` header gives a media type (RFC 9110, section 12.5.1): 0 if it does not admit the
 * type. Without the header, every type has 1. Invalid parts of the header are ignored.
 */
export function qualityOf(accept: string | undefined, mediaType: string): number {
  const type = mediaTypeParts(mediaType);
  let [best, quality] = [0, 0];
  for (const range of (accept?.trim() || '*/*').split(',')) {
    const parts = mediaTypeParts(range);
    const specificity = specificityOf(parts, type);
    if (specificity <= best) continue;
    const [, written = '1'] = parts.map((each) => /^q=([\d.]+)$/.exec(each)).find((each) => each) ?? [];
    [best, quality] = [specificity, Number(written) || 0];
  }
  return quality;
}

/** Returns 0 if a media range does not match the type. A type with another value of a parameter, such as `version=2`, does not. */
function specificityOf(
  [pattern = '', ...parameters]: readonly string[],
  [name = '', ...own]: readonly string[],
): number {
  if (parameters.some(hasOtherValueIn(own))) return 0;
  if (pattern === name) return 3 + parameters.filter((part) => own.includes(part)).length;
  if (pattern === '*/*') return 1;
  // The documented type may be a range, too.
  return includesType(pattern, name) || includesType(name, pattern) ? 2 : 0;
}

const includesType = (range: string, type: string): boolean =>
  range === '*/*' || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)));

/** Sorts media types by the quality that an `Accept` header gives them. Equal ones keep their order. */
export const byQuality = (accept: string | undefined, mediaTypes: readonly string[]): string[] =>
  mediaTypes.toSorted((one, other) => qualityOf(accept, other) - qualityOf(accept, one));

/**
 * Returns the type that a client prefers of those that a documented media type includes, if that is a range.
 * @param usual the type of the body if the client names none. JSON stays JSON, and other bodies stay what they are.
 */
export function typeInRange(accept: string | undefined, documented: string, usual: string): string {
  if (!documented.includes('*')) return usual;
  const named = (accept ?? '').split(',').flatMap((each) => parseMediaType(each) ?? []);
  const fits = (type: string) =>
    isJson(type) === isJson(usual) && documentedType([documented], type) !== undefined;
  return byQuality(accept, named).find((type) => fits(type) && qualityOf(accept, type) > 0) ?? usual;
}
