import type { Problem } from '../errors.ts';
import { escapePointer } from './findings.ts';

// I-JSON (RFC 7493, 2.1) has no lone surrogates; NUL is refused because PostgreSQL cannot store it (D10).
const isSound = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Every text in a value that could not be stored and given back exactly. */
export function unsoundText(value: unknown, field: string): Problem[] {
  if (typeof value === 'string')
    return isSound(value) ? [] : [{ field: field || 'body', message: 'holds NUL or a lone surrogate' }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    isSound(name)
      ? unsoundText(inner, `${field}/${escapePointer(name)}`)
      : [{ field: field || 'body', message: 'holds a name with NUL or a lone surrogate' }],
  );
}
