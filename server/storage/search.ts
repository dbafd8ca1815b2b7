/** A search: all parts of at least one alternative, each anywhere in `search_text`. */
export interface ContactSearch {
  companyId: number;
  anyOf: readonly (readonly string[])[];
}

export interface SearchWindow {
  limit: number;
  offset: number;
}

/** A search exceeded its time limit (D58). */
export class SearchTooLong extends Error {}

/** Time limit of a search in milliseconds, so that it does not block other work (D58). */
export const searchTimeoutMs = 2_000;
