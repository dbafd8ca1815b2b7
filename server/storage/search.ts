import { type RawBuilder, sql } from 'kysely';

/** A search. A contact matches if its `search_text` contains all parts of at least one alternative. */
export interface ContactSearch {
  companyId: number;
  anyOf: readonly (readonly string[])[];
}

/** Returns the condition that all parts of at least one alternative are found. @param isFound the condition for one part */
export function holds(
  { anyOf }: Pick<ContactSearch, 'anyOf'>,
  isFound: (part: string) => RawBuilder<unknown>,
): RawBuilder<boolean> {
  const alternatives = anyOf.map((allOf) => sql`(${sql.join(allOf.map(isFound), sql` and `)})`);
  return sql<boolean>`(${sql.join(alternatives, sql` or `)})`;
}

export interface SearchWindow {
  /** Only contacts with a larger ID are found (default: 0). */
  after?: number | undefined;
  limit: number;
  offset: number;
}

/** A search exceeded its time limit, or too many searches were running already (D58). */
export class SearchTooLong extends Error {}

/** Time limit of a search in milliseconds, so that it does not block other work (D58). */
export const searchTimeoutMs = 2_000;
