import { InputLimitError } from './input-limit.ts';
import { isObject } from './json-object.ts';

/**
 * Maximum depth of nested objects and lists. `JSON.parse` takes longer per level the deeper they are. Validators call
 * themselves for each level of a recursive schema, and the stack was exhausted at about 5,000 levels of a simple one.
 */
export const maxDepth = 100;

const [quote, backslash] = [0x22, 0x5c];
// `[` and `{` differ in one bit, as `]` and `}` do.
const [otherBracket, opening, closing] = [0x20, 0x7b, 0x7d];

/** Parses JSON. @throws SyntaxError if it is malformed, InputLimitError if it is nested too deeply */
export function parseJson(text: string): unknown {
  if (text.length > maxDepth && isTooDeep(text))
    throw new InputLimitError(`The JSON is nested more than ${maxDepth} levels deep.`);
  return JSON.parse(text);
}

function isTooDeep(text: string): boolean {
  let [depth, isInText] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) isInText = !isInText;
    else if (isInText) at += code === backslash ? 1 : 0;
    else if ((code | otherBracket) === opening) {
      depth += 1;
      if (depth > maxDepth) return true;
    } else if ((code | otherBracket) === closing) depth -= 1;
  }
  return false;
}

/** Whether arrays and objects in a JSON value are nested more than `most` levels deep. It calls itself as often at most. */
export function isNestedDeeperThan(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return false;
  if (most === 0) return true;
  const isDeep = (each: unknown): boolean => typeof each === 'object' && isNestedDeeperThan(each, most - 1);
  if (Array.isArray(value)) return value.some(isDeep);
  // `Object.values` takes three times as long for 60,000 properties.
  return isObject(value) && Object.keys(value).some((name) => isDeep(value[name]));
}
