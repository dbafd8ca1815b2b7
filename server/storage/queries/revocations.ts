import type { Database } from '../store.ts';

/** A revoked token: the SHA-256 of the token, and when it was revoked, in milliseconds since 1970. */
export interface Revocation {
  digest: Uint8Array;
  revoked_at: number;
}

/** Revokes tokens of any company. @returns the number of tokens that were valid */
export async function applyRevocations(db: Database, revocations: readonly Revocation[]): Promise<number> {
  let revoked = 0;
  for (const { digest, revoked_at } of revocations) {
    const { numUpdatedRows } = await db
      .updateTable('tokens')
      .set({ revoked_at })
      .where('digest', '=', digest)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    revoked += Number(numUpdatedRows);
  }
  return revoked;
}

/**
 * Revokes all valid tokens of all companies.
 * @param now milliseconds since 1970
 * @returns their number
 */
export async function revokeAllTokens(db: Database, now: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('tokens')
    .set({ revoked_at: now })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
