/** A search. A contact matches if its `search_text` contains all parts of at least one alternative. */
export interface ContactSearch {
  companyId: number;
  anyOf: readonly (readonly string[])[];
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
