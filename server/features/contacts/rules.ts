import type { FieldError } from '../../lib/field-error.ts';
import { parseSearchQuery } from './search-text.ts';

/** Rejects an ID in the body that differs from the one in the path (D14). */
export function checkOwnId({ path, body }: { path: Record<string, unknown>; body: unknown }): FieldError[] {
  const given = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
  return given === undefined || given === path.id
    ? []
    : [{ field: '/id', message: 'is not the ID in the path' }];
}

/** Rejects a query that consists only of accents or invisible characters, because it would match everything. */
export function checkSearchQuery({ query }: { query: Record<string, unknown> }): FieldError[] {
  return typeof query.query === 'string' && parseSearchQuery(query.query).length === 0
    ? [{ field: 'query/query', message: 'contains nothing to search for' }]
    : [];
}

/**
 * Whether `If-Match` allows the request: it is absent, is `*`, or contains the entity tag. Weak tags never match
 * (RFC 9110, section 13.1.1).
 */
export function matchesEntityTag(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true;
  return Array.from(ifMatch.matchAll(/(W\/)?("[^"]*")/g)).some(
    ([, weak, named]) => weak === undefined && named === etag,
  );
}
