import { insertRow } from '../../storage/queries/rows.ts';
import type { Database } from '../../storage/store.ts';
import { mintToken, tokenDigest } from './token-format.ts';

const dayMs = 86_400_000;

/** The default and the maximum number of days that a token is valid (D31). */
export const tokenDays = { defaultValue: 90, most: 365 };

export interface NewToken {
  companyId: number;
  userId: number;
  name: string;
  scopes: readonly string[];
  days: number;
}

/** Issues a token. The token itself is returned only here; the database stores its digest. */
export async function issueToken(
  db: Database,
  { companyId, userId, name, scopes, days }: NewToken,
  now: number,
): Promise<{ id: number; token: string; expiresAt: number }> {
  const token = mintToken();
  const expiresAt = now + days * dayMs;
  const id = await insertRow(db, 'tokens', {
    company_id: companyId,
    user_id: userId,
    name,
    digest: tokenDigest(token),
    scopes: scopes.join(' '),
    created_at: now,
    expires_at: expiresAt,
  });
  return { id, token, expiresAt };
}
