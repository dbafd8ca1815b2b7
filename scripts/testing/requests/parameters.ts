import { isIgnoredHeader, isMessageHeader } from '../../contract/model/read-parameters.ts';
import type { RequestParameter, TestedOperation } from './operations.ts';
import { toParameterText } from './serialize.ts';

/** Returns the parameters of an operation, without the headers that OpenAPI ignores or that HTTP clients set. */
export const chosenParameters = ({ parameters }: TestedOperation): RequestParameter[] =>
  parameters.filter(({ in: location, name }) => location !== 'header' || !isSetOtherwise(name));

const isSetOtherwise = (name: string): boolean =>
  isIgnoredHeader(name) || isMessageHeader(name) || /^(expect|host|te)$/i.test(name);

/**
 * Whether a value can be sent as a parameter and parsed again. Paths and headers cannot carry every text, an empty array is
 * not sent at all, and styles cannot express every name of a property.
 */
export function isSerializable(parameter: RequestParameter, value: unknown): boolean {
  if (value === null) return false;
  if (parameter.mediaType !== undefined) return true;
  if (typeof value !== 'object') return canStand(parameter, value, false);
  const names = Array.isArray(value) ? [] : Object.keys(value);
  const items: unknown[] = Object.values(value);
  return (
    items.length > 0 &&
    names.every((name) => canName(parameter, name)) &&
    items.every((item) => isPlain(item) && canStand(parameter, item, true))
  );
}

/** Replaces what may delimit the items of a list. */
export const withoutDelimiters = (text: string): string => text.replaceAll(/[,|; =.]/g, 'x');

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const canName = ({ in: location, style }: RequestParameter, name: string): boolean =>
  location === 'query'
    ? name !== '' && !(style === 'deepObject' && /[[\]]/.test(name))
    : /^[\w-]+$/.test(name);

function canStand(
  { in: location, explode, excluded }: RequestParameter,
  value: unknown,
  inside: boolean,
): boolean {
  const text = toParameterText(value);
  // Delimiters inside items would be ambiguous.
  if (text === '' || (inside && (!explode || location !== 'query') && text !== withoutDelimiters(text)))
    return false;
  // A header consists of visible ASCII characters, with spaces only inside.
  if (location === 'header') return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
  // Dot segments are removed from paths, and some servers decode slashes.
  if (location === 'path') return !/^\.{1,2}$/.test(text) && !/[/\\]/.test(text) && !excluded?.includes(text);
  return location !== 'cookie' || /^[\w!#$&'*+.^`|~-]+$/.test(text);
}
