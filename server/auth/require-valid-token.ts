import { throwApiError } from '../errors.ts';
import { findTokenForUpdate } from '../storage/queries/tokens.ts';
import type { Database } from '../storage/store.ts';
import type { TokenHolder } from './authenticate.ts';

/**
 * Checks in a write transaction that the caller's token is still valid: it may have been revoked while the request
 * body was arriving. The lock serializes the write and the revocation, so that the revocation lists every webhook that
 * the token has written.
 * @param now milliseconds since 1970
 * @throws ApiError
 */
export async function requireValidToken(
  db: Database,
  { companyId, tokenId }: Pick<TokenHolder, 'companyId' | 'tokenId'>,
  now: number,
): Promise<void> {
  const token = await findTokenForUpdate(db, companyId, tokenId);
  const details = { fields: 'header/Authorization', headers: { 'WWW-Authenticate': 'Bearer' } };
  if (!token || token.revoked_at !== null) throwApiError('tokenRevoked', details);
  else if (token.expires_at <= now) throwApiError('tokenExpired', details);
}
