import { isObject } from '../schema-values/schema.ts';
import type { RequestParameter, TestedOperation } from './operations.ts';
import { toParameterText } from './serialize.ts';

// HTTP and OpenAPI have their own ways to say these.
const ignored = ['accept', 'content-type', 'authorization'];

/** The parameters of an operation that a caller chooses. */
export const chosenParameters = ({ parameters }: TestedOperation): RequestParameter[] =>
  parameters.filter((each) => each.in !== 'header' || !ignored.includes(each.name.toLowerCase()));

/**
 * Whether a value can be sent as this parameter and read again: not everything that a schema allows can stand in a
 * path or a header, and a list of nothing is not there at all.
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

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

function canStand({ in: location, explode }: RequestParameter, value: unknown, inside: boolean): boolean {
  const text = toParameterText(value);
  // What divides items cannot be told from what is in them.
  if (text === '' || (inside && (!explode || location !== 'query') && /[,|; =.]/.test(text))) return false;
  if (location === 'header') return isHeaderText(text);
  // A dot alone is taken out of a path on the way, a slash read as one by some.
  if (location === 'path') return !/^\.{1,2}$/.test(text) && !/[/\\]/.test(text);
  return location !== 'cookie' || /^[\w!#$&'*+.^`|~-]+$/.test(text);
}

/** What a header may hold without being changed: visible ASCII, with blanks inside. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text);
