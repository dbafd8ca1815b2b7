import { checksumLength } from './format.ts';

// Of each some hundred bytes; who is forgotten is learnt again with his next request.
const mostKnown = 10_000;

/**
 * Whose tokens have held lately, so that a request can be counted to its company before its token is judged. Whoever makes
 * up a token with another's checksum is counted as that one, and refused as soon as the token is judged.
 */
export function createCompaniesKnown() {
  const companies = new Map<string, string>();
  return {
    /** @param authorization the header @returns undefined for a stranger */
    of: (authorization = ''): string | undefined => companies.get(authorization.slice(-checksumLength)),
    /** After the token has held. */
    learn(authorization = '', companyId: number): void {
      const key = authorization.slice(-checksumLength);
      if (companies.has(key)) return;
      if (companies.size >= mostKnown) companies.clear();
      companies.set(key, String(companyId));
    },
  };
}
