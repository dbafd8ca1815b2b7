import { hash } from 'node:crypto';
import { bearerToken } from '../../lib/bearer-token.ts';

// Each entry takes about 100 bytes. An evicted token is added again by its next valid request.
const maxKnown = 10_000;

const keyOf = (authorization: string): string => hash('sha256', bearerToken(authorization) ?? '', 'base64');

/**
 * Remembers the companies of recently valid tokens, so that a request waits for the turn of its company
 * before the token is checked. The key is a digest of the whole token, because any part of it could be forged.
 */
export function createTokenCompanyCache() {
  const companies = new Map<string, string>();

  return {
    /**
     * Returns the company ID of a token.
     * @param authorization the value of the Authorization header
     * @returns undefined if the cache does not contain the token
     */
    of: (authorization: string | undefined): string | undefined =>
      authorization === undefined ? undefined : companies.get(keyOf(authorization)),
    /** Adds a token that was accepted as valid. */
    learn(authorization: string, companyId: number): void {
      const key = keyOf(authorization);
      if (companies.has(key)) return;
      if (companies.size >= maxKnown) companies.clear();
      companies.set(key, String(companyId));
    },
    /** Removes a token that was rejected, for example because it was revoked. */
    forget(authorization: string): void {
      companies.delete(keyOf(authorization));
    },
  };
}
