import { throwApiError } from '../../errors.ts';
import { settleAll } from '../../lib/settle-all.ts';
import type { Caller } from '../../own-contract/handler.ts';
import { lockTokensShared } from '../../storage/locks.ts';
import { findTokenValidity } from '../../storage/queries/tokens.ts';
import type { Database, Store, Transaction, WriteGroup } from '../../storage/store.ts';

/** The token that a request was authenticated with. */
export type CallerToken = Pick<Caller, 'companyId' | 'tokenId'>;

/**
 * The store of handlers. A token can be revoked or expire after authentication, for example while a request body arrives.
 * So each write checks the token in its own transaction, and throws ApiError if the token is no longer valid.
 */
export interface CallerStore extends Pick<Store, 'read' | 'readSnapshot'> {
  /** Like `Store.write`, for the company of the caller. */
  write<T>(work: (db: Transaction) => Promise<T>, caller: CallerToken): Promise<T>;
  /** Like `Store.writeInGroup`, for the company of the caller. */
  writeInGroup<T>(work: (db: Transaction) => Promise<T>, caller: CallerToken, group: WriteGroup): Promise<T>;
}

/** @param now returns milliseconds since 1970 */
export function createCallerStore(store: Store, now: () => number): CallerStore {
  /** Sends the statements of the work without waiting for the check, which would cost a round trip. */
  const whileValid =
    <T>(work: (db: Transaction) => Promise<T>, caller: CallerToken) =>
    async (db: Transaction): Promise<T> => {
      const checking = requireValidToken(db, caller, now);
      const result = work(db);
      await settleAll(checking, result);
      return result;
    };
  return {
    read: (work) => store.read(work),
    readSnapshot: (work) => store.readSnapshot(work),
    write: (work, caller) =>
      store.write(async (db) => {
        await lockTokensShared(db, caller.companyId);
        return whileValid(work, caller)(db);
      }, caller.companyId),
    writeInGroup: (work, caller, group) =>
      store.writeInGroup(whileValid(work, caller), caller.companyId, {
        ...group,
        lock: (db, subjects) => settleAll(lockTokensShared(db, caller.companyId), group.lock(db, subjects)),
      }),
  };
}

/**
 * Checks that the caller's token is still valid.
 * @param now returns milliseconds since 1970
 * @throws ApiError
 */
export async function requireValidToken(
  db: Database,
  { companyId, tokenId }: CallerToken,
  now: () => number,
): Promise<void> {
  const token = await findTokenValidity(db, companyId, tokenId);
  const details = { fields: 'header/Authorization', headers: { 'WWW-Authenticate': 'Bearer' } };
  if (!token || token.revoked_at !== null) throwApiError('tokenRevoked', details);
  else if (token.expires_at <= now()) throwApiError('tokenExpired', details);
}
