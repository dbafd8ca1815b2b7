import type { Selectable } from 'kysely';
import { lockTokensExclusive } from '../locks.ts';
import { preparedStatement } from '../prepared-statement.ts';
import type { Database } from '../store.ts';
import type { TokenTable } from '../tables/tokens.ts';
import { findRow, listRows, selectRows, updateRows } from './rows.ts';

export type TokenRow = Selectable<TokenTable>;

const tokenOfDigest = preparedStatement((db, { digest }: { digest: Uint8Array }) =>
  db
    .selectFrom('tokens')
    .innerJoin('companies', 'companies.id', 'tokens.company_id')
    .selectAll('tokens')
    .select('companies.rate_per_minute as company_rate_per_minute')
    .where('digest', '=', digest),
);

/** Searches the tokens of all companies, because the token determines the company of a request. */
export async function findTokenByDigest(
  db: Database,
  digest: Uint8Array,
): Promise<(TokenRow & { company_rate_per_minute: number | null }) | undefined> {
  const [token] = await tokenOfDigest(db, { digest });
  return token;
}

export const listTokens = (db: Database, companyId: number): Promise<TokenRow[]> =>
  listRows(db, 'tokens', companyId);

export function findToken(db: Database, companyId: number, id: number): Promise<TokenRow | undefined> {
  return findRow(db, 'tokens', { company_id: companyId, id });
}

const validityOfToken = preparedStatement((db, { companyId, id }: { companyId: number; id: number }) =>
  db
    .selectFrom('tokens')
    .select(['revoked_at', 'expires_at'])
    .where('company_id', '=', companyId)
    .where('id', '=', id),
);

/** Reads whether and how long a token is valid. @returns undefined if the token does not exist */
export async function findTokenValidity(
  db: Database,
  companyId: number,
  id: number,
): Promise<Pick<TokenRow, 'revoked_at' | 'expires_at'> | undefined> {
  const [token] = await validityOfToken(db, { companyId, id });
  return token;
}

/**
 * Waits for the writes of the company's tokens.
 * @returns false if the token does not exist or was revoked before
 * @throws Error if the token is still not revoked
 */
export async function revokeToken(
  db: Database,
  companyId: number,
  id: number,
  now: number,
): Promise<boolean> {
  await lockTokensExclusive(db, companyId);
  const valid = { company_id: companyId, id, revoked_at: null };
  const revoked = await updateRows(db, 'tokens', valid, { revoked_at: now });
  // A trigger of the database can ignore or undo the change.
  if (await findRow(db, 'tokens', valid)) throw notRevoked(id);
  return revoked > 0;
}

const notRevoked = (id: number): Error =>
  new Error(
    `Token ${id} is not revoked, because the database rejected or undid the change. Look for triggers on the table tokens.`,
  );

/**
 * Revokes the tokens of all companies, expired ones included.
 * @param now milliseconds since 1970
 * @returns the number of tokens that were not revoked before
 * @throws Error if a token is still not revoked
 */
export async function revokeAllTokens(db: Database, now: number): Promise<number> {
  const revoked = await updateRows(db, 'tokens', { revoked_at: null }, { revoked_at: now });
  const [left] = await selectRows(db, 'tokens', ['id'], { revoked_at: null }, { limit: 1 });
  if (left) throw notRevoked(left.id);
  return revoked;
}
