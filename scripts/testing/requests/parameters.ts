import { isObject } from '../../../server/lib/json-object.ts';
import { isIgnoredHeader, isMessageHeader } from '../../contract/model/ignored-headers.ts';
import type { RequestParameter, TestedOperation } from './operations.ts';
import { toParameterText } from './serialize.ts';

/** Returns the parameters of an operation, without the headers that OpenAPI ignores or that HTTP clients set. */
export const chosenParameters = ({ parameters }: TestedOperation): RequestParameter[] =>
  parameters.filter(({ in: location, name }) => location !== 'header' || !isSetOtherwise(name));

const isSetOtherwise = (name: string): boolean =>
  isIgnoredHeader(name) || isMessageHeader(name) || /^(expect|host|te)$/i.test(name);

/**
 * Whether a value can be sent as a parameter and parsed again. Paths and headers cannot carry every text, and an
 * empty array is not sent at all.
 */
export function isSerializable(parameter: RequestParameter, value: unknown): boolean {
  if (parameter.mediaType !== undefined)
    return parameter.in !== 'header' || isHeaderText(JSON.stringify(value));
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => isPlain(item) && canStand(parameter, item, true));
  if (isObject(value)) {
    const pairs = Object.entries(value);
    return (
      pairs.length > 0 &&
      pairs.every(([name, item]) => isPlain(item) && name !== '' && canStand(parameter, item, true))
    );
  }
  return value !== null && canStand(parameter, value, false);
}

/** Replaces what may delimit the items of a list. */
export const withoutDelimiters = (text: string): string => text.replaceAll(/[,|; =.]/g, 'x');

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function canStand(
  { in: location, explode, excluded }: RequestParameter,
  value: unknown,
  inside: boolean,
): boolean {
  const text = toParameterText(value);
  // Delimiters inside items would be ambiguous.
  if (text === '' || (inside && (!explode || location !== 'query') && text !== withoutDelimiters(text)))
    return false;
  if (location === 'header') return isHeaderText(text);
  // Dot segments are removed from paths, and some servers decode slashes.
  if (location === 'path') return !/^\.{1,2}$/.test(text) && !/[/\\]/.test(text) && !excluded?.includes(text);
  return location !== 'cookie' || /^[\w!#$&'*+.^`|~-]+$/.test(text);
}

/** Whether a text can be sent as a header value: visible ASCII, with spaces only inside. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
