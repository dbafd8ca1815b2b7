import type { Database } from './store.ts';

/**
 * Revokes tokens of all companies: those with these digests, or all that are valid.
 * @param now when they were revoked, if a token does not say it, in milliseconds since 1970
 * @returns how many were not revoked before
 */
export async function revokeTokens(
  db: Database,
  tokens: readonly { digest: Uint8Array; revoked_at: number }[] | 'all',
  now: number,
): Promise<number> {
  const live = () => db.updateTable('tokens').where('revoked_at', 'is', null);
  if (tokens === 'all') {
    const { numUpdatedRows } = await live()
      .set({ revoked_at: now })
      .where('expires_at', '>', now)
      .executeTakeFirst();
    return Number(numUpdatedRows);
  }
  let revoked = 0;
  for (const { digest, revoked_at } of tokens) {
    const { numUpdatedRows } = await live()
      .set({ revoked_at })
      .where('digest', '=', digest)
      .executeTakeFirst();
    revoked += Number(numUpdatedRows);
  }
  return revoked;
}
