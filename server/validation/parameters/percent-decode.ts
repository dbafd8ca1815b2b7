import { wordingOf } from '../../lib/wording.ts';
import type { Reading } from './reading.ts';

/** Decodes a text of a path. */
export function decodePath(text: string, reading: Reading): string {
  return text.includes('%') ? decode(text, reading) : text;
}

/** Decodes a text of a query, in which `+` is a space, as in HTML forms. */
export function decodeQuery(text: string, reading: Reading): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? decode(spaced, reading) : spaced;
}

/** Decodes a text of a cookie. Cookies may contain other texts with percent signs, which stay as they are. */
export function decodeCookie(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function decode(text: string, reading: Reading): string {
  try {
    return decodeURIComponent(text);
  } catch {
    reading.problem = wordingOf('encoding');
    return text;
  }
}
