/**
 * The media type of a header's value, in lower case, or undefined where a parameter asks for something
 * that is not read here: text comes in UTF-8 or not at all.
 */
export function parseMediaType(header: string): string | undefined {
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const foreign = parameters.some((parameter) => {
    const [name, value = ''] = parameter.split('=').map((part) => part.trim());
    return name === 'charset' && !/^"?utf-?8"?$/.test(value);
  });
  return foreign || !/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(type) ? undefined : type;
}

/**
 * The documented type that a media type falls under: itself, `text/*`, or any. What is looked up by it
 * later is one of the contract's own keys, so callers cannot make caches grow.
 */
export function documentedType(documented: readonly string[], mediaType: string): string | undefined {
  if (documented.includes(mediaType)) return mediaType;
  const [family] = mediaType.split('/');
  return [mediaType, `${family}/*`, '*/*']
    .map((wanted) =>
      documented.find((type) => parseMediaType(type.replaceAll('*', '+')) === wanted.replaceAll('*', '+')),
    )
    .find((type) => type !== undefined);
}

export const isJson = (mediaType: string): boolean => /[/+]json$/.test(mediaType.split(';')[0]?.trim() ?? '');
