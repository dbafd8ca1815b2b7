import type { Problem } from '../errors.ts';

// I-JSON (RFC 7493, 2.1) has no lone surrogates; NUL is refused because PostgreSQL cannot store it (D10).
const isSound = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

// Nobody reads more than these, and a longer pointer takes too long to write more than once.
const mostFound = 50;
const longestPointer = 10_000;

interface Place {
  value: unknown;
  name: string;
  within: Place | undefined;
}

/**
 * Every text in a value that could not be stored and given back exactly.
 * The walk keeps its own stack: a body of one megabyte can be half a million levels deep.
 */
export function unsoundText(value: unknown): Problem[] {
  const problems: Problem[] = [];
  const rest: Place[] = [{ value, name: '', within: undefined }];
  for (
    let place = rest.pop();
    place && problems.length < mostFound && (problems.at(-1)?.field.length ?? 0) < longestPointer;
    place = rest.pop()
  ) {
    if (typeof place.value === 'string') {
      if (!isSound(place.value))
        problems.push({ field: pointerTo(place), message: 'holds NUL or a lone surrogate' });
    } else if (
      typeof place.value === 'object' &&
      place.value !== null &&
      !(place.value instanceof Uint8Array)
    ) {
      for (const [name, inner] of Object.entries(place.value)) {
        if (isSound(name)) rest.push({ value: inner, name, within: place });
        else problems.push({ field: pointerTo(place), message: 'holds a name with NUL or a lone surrogate' });
      }
    }
  }
  return problems;
}

function pointerTo(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at?.within; at = at.within) names.push(escapePointer(at.name));
  return names.length > 0 ? `/${names.reverse().join('/')}` : '';
}

/** RFC 6901, 4. */
export const escapePointer = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');
