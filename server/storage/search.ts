/** What is to be found: all parts of at least one of the alternatives, each part anywhere in `search_text`. */
export interface ContactSearch {
  companyId: number;
  anyOf: readonly (readonly string[])[];
}

export interface SearchWindow {
  limit: number;
  offset: number;
}

/** What a search did not find in the time that it has (D58). */
export class SearchTooLong extends Error {}

/** How long a search may take, in milliseconds: no longer may it take the machine away from others (D58). */
export const searchTimeoutMs = 2_000;
