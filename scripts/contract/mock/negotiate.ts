/**
 * Returns the quality that an `Accept` header gives a media type (RFC 9110, section 12.5.1): 0 if it does not admit the
 * type. Without the header, every type has 1. Invalid parts of the header are ignored.
 */
export function qualityOf(accept: string | undefined, mediaType: string): number {
  const [name = '', ...own] = partsOf(mediaType.toLowerCase());
  let [best, quality] = [0, 0];
  for (const range of (accept?.trim() || '*/*').toLowerCase().split(',')) {
    const [pattern = '', ...parameters] = partsOf(range);
    const specificity = specificityOf(pattern, parameters, name, own);
    if (specificity <= best) continue;
    const [, written = '1'] = parameters.map((each) => /^q=([\d.]+)$/.exec(each)).find((each) => each) ?? [];
    [best, quality] = [specificity, Number(written) || 0];
  }
  return quality;
}

const partsOf = (text: string): string[] => text.split(';').map((part) => part.trim().replaceAll('"', ''));

/** Returns 0 if a media range does not match the type. A type with another value of a parameter, such as `version=2`, does not. */
function specificityOf(
  pattern: string,
  parameters: readonly string[],
  name: string,
  own: readonly string[],
): number {
  const isOther = (part: string) =>
    !own.includes(part) && own.some((each) => each.split('=')[0] === part.split('=')[0]);
  if (parameters.some(isOther)) return 0;
  if (pattern === name) return 3 + parameters.filter((part) => own.includes(part)).length;
  if (pattern === '*/*') return 1;
  return pattern.endsWith('/*') && name.startsWith(pattern.slice(0, -1)) ? 2 : 0;
}

/** Sorts media types by the quality that an `Accept` header gives them. Equal ones keep their order. */
export const byQuality = (accept: string | undefined, mediaTypes: readonly string[]): string[] =>
  mediaTypes.toSorted((one, other) => qualityOf(accept, other) - qualityOf(accept, one));
