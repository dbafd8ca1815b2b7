import type { FieldError } from './field-error.ts';

// I-JSON has no lone surrogates (RFC 7493, section 2.1). NUL is rejected because PostgreSQL cannot store it (D10).
const isValid = (text: string): boolean => !text.includes('\0') && isWellFormed(text);

// Node 18 has no `isWellFormed`. With the flag u, the pattern matches only surrogates that are no part of a pair.
const isWellFormed: (text: string) => boolean =
  'isWellFormed' in String.prototype
    ? (text) => text.isWellFormed()
    : (text: string) => !/\p{Surrogate}/u.test(text);

// The search stops after `maxFound` errors, or after an error whose pointer has `maxPointer` characters, because
// repeating long pointers takes too long.
const maxFound = 50;
const maxPointer = 10_000;

/** A location inside a JSON value: a name in an object, or an index of a list. */
export interface JsonLocation {
  name: string | number;
  /** The location of the object or list; undefined for the whole value. */
  within: JsonLocation | undefined;
}

interface Place extends JsonLocation {
  value: unknown;
  within: Place | undefined;
}

/**
 * Finds strings and property names that could not be stored and returned unchanged. It does not use recursion, because
 * a body of 1 MB can be nested 500,000 levels deep.
 */
export function findInvalidText(value: unknown): FieldError[] {
  const problems: FieldError[] = [];
  // Contains invalid texts, objects and lists, because other values need no look.
  const rest: Place[] = isValidText(value) ? [] : [{ value, name: '', within: undefined }];
  let found = false;
  const report = (location: Place, message: string): void => {
    const field = pointerTo(location);
    problems.push({ field, message });
    found = problems.length >= maxFound || field.length >= maxPointer;
  };
  for (let location = rest.pop(); location && !found; location = rest.pop()) {
    const { value: within } = location;
    if (typeof within === 'string') report(location, 'contains NUL or a lone surrogate');
    else if (Array.isArray(within)) {
      // The last items are looked at first, so that those before are not kept after enough invalid texts.
      const items: Place[] = [];
      for (let at = within.length - 1, texts = 0; at >= 0 && texts < maxFound; at -= 1) {
        if (!mayBeInvalid(within[at])) continue;
        items.push({ value: within[at], name: at, within: location });
        if (typeof within[at] === 'string') texts += 1;
      }
      for (const item of items.reverse()) rest.push(item);
    } else if (isStructured(within))
      for (const name of Object.keys(within)) {
        if (!isValid(name)) report(location, 'contains a name with NUL or a lone surrogate');
        else if (mayBeInvalid(within[name])) rest.push({ value: within[name], name, within: location });
        if (found) break;
      }
  }
  return problems;
}

const mayBeInvalid = (value: unknown): boolean =>
  typeof value === 'string' ? !isValid(value) : typeof value === 'object' && value !== null;

const isValidText = (value: unknown): boolean => typeof value === 'string' && isValid(value);

const isStructured = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof Uint8Array);

/** Returns the JSON Pointer to a location. */
export function pointerTo(location: JsonLocation): string {
  const names: string[] = [];
  for (let at = location; at.within !== undefined; at = at.within) names.push(escapePointer(String(at.name)));
  return names.length > 0 ? `/${names.reverse().join('/')}` : '';
}

/** Escapes a property name for a JSON Pointer (RFC 6901, section 3). */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Returns the name that a step of a JSON pointer stands for. */
export const unescapePointer = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');
