import { engineOf } from './engine.ts';
import type { Database } from './store.ts';

/*
 * A transaction locks the data that it relies on, so that the data does not change before its commit. All transactions
 * take locks in one order, which prevents deadlocks: tokens, then company, then contact or conversation, then webhooks in order of
 * ID (webhooks for message events before those for conversation events). The embedded database has a single writer
 * and needs no locks.
 */

/** Locks an empty database, so that only one process fills it. */
export const lockDatabase = (db: Database): Promise<void> => engineOf(db).lockDatabase(db);

/**
 * Keeps the tokens of a company from being revoked or erased until the end of the transaction. A write for a token takes
 * this lock and then reads the token. So once a revocation is committed, no write of the token commits.
 */
export const lockTokensShared = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockTokensShared(db, companyId);

/**
 * Locks the tokens of a company exclusively. Waits for the writes that hold the shared lock. Later writes wait for this
 * transaction, so many writes cannot delay a revocation for long, as they could with locks of the token's row.
 */
export const lockTokensExclusive = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockTokensExclusive(db, companyId);

/**
 * Locks a company: until the commit, no other transaction adds entities to it (a new message locks its conversation
 * instead), or changes its field definitions. So limits on the number of entities are exact. IDs are also committed in
 * ascending order, so a client that pages upwards misses no entity (D19). Creates that wait share a transaction on
 * PostgreSQL, so that they wait for the lock and the commit once.
 */
export const lockCompany = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockCompany(db, companyId);

/** Keeps the field definitions of a company unchanged until the end of the transaction. */
export const lockFieldDefinitionsShared = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockFieldDefinitionsShared(db, companyId);

/**
 * Locks the field definitions of a company exclusively. Waits for all transactions that hold the shared lock or the
 * company's lock.
 */
export const lockFieldDefinitionsExclusive = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockFieldDefinitionsExclusive(db, companyId);
