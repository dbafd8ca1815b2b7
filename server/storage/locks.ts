import { type RawBuilder, sql } from 'kysely';
import { engineOf } from './engine.ts';
import type { Database } from './store.ts';

/*
 * A transaction locks the data that it relies on, so that the data does not change before its commit. All transactions
 * take locks in one order, which prevents deadlocks: tokens, then company, then contact or conversation, then webhooks in order of
 * ID (webhooks for message events before those for conversation events). The embedded database has a single writer
 * and needs no locks.
 */

// Advisory locks need no row and are granted in order. With row locks, shared lockers could starve an exclusive one.
const exclusive = (key: RawBuilder<unknown>) => sql`pg_advisory_xact_lock(${key})`;
const shared = (key: RawBuilder<unknown>) => sql`pg_advisory_xact_lock_shared(${key})`;

async function lock(db: Database, ...locks: RawBuilder<unknown>[]): Promise<void> {
  if (engineOf(db).hasConcurrentWriters) await sql`select ${sql.join(locks)}`.execute(db);
}

// The lock ID of the whole database: "Parley" in ASCII, which no company has as its ID. That of a company is its own ID,
// and that of its field definitions is the negative of it.
const parley = sql.lit(0x5061726c6579);
const definitionsOf = (companyId: number) => sql`${-companyId}`;

// The locks of tokens have two keys, which PostgreSQL keeps apart from IDs: "tokn" in ASCII, and the company's ID as a
// 32-bit integer. Companies with the same remainder share a lock.
const tokensOf = (companyId: number) => sql`${sql.lit(0x746f6b6e)}, ${companyId % 2 ** 31}::int`;

/**
 * Lock timeout of migrations. After it, a migration is rolled back, and retried after a pause of the same length.
 * During the pause, statements that queued behind the migration can run.
 */
export const migrationLockTimeoutMs = 2_000;

/**
 * Shortens the lock timeout of the transaction. While a migration waits for the lock of a table, all later statements
 * on that table wait behind it.
 */
export async function waitBriefly(db: Database): Promise<void> {
  if (engineOf(db).hasConcurrentWriters)
    await sql`set local lock_timeout = ${sql.lit(migrationLockTimeoutMs)}`.execute(db);
}

/** Locks the database against other processes that migrate or fill it, until the end of the transaction. */
export const lockDatabase = (db: Database): Promise<void> => lock(db, exclusive(parley));

/**
 * Keeps the tokens of a company from being revoked or erased until the end of the transaction. A write for a token takes
 * this lock and then reads the token. So once a revocation is committed, no write of the token commits.
 */
export const lockTokensShared = (db: Database, companyId: number): Promise<void> =>
  lock(db, shared(tokensOf(companyId)));

/**
 * Locks the tokens of a company exclusively. Waits for the writes that hold the shared lock. Later writes wait for this
 * transaction, so many writes cannot delay a revocation for long, as they could with locks of the token's row.
 */
export const lockTokensExclusive = (db: Database, companyId: number): Promise<void> =>
  lock(db, exclusive(tokensOf(companyId)));

/**
 * Locks a company: until the commit, no other transaction adds entities to it (a new message locks its conversation
 * instead), or changes its field definitions. So limits on the number of entities are exact. IDs are also committed in
 * ascending order, so a client that pages upwards misses no entity (D19). Creates that wait share a transaction on
 * PostgreSQL, so that they wait for the lock and the commit once.
 */
export const lockCompany = (db: Database, companyId: number): Promise<void> =>
  lock(db, shared(definitionsOf(companyId)), exclusive(sql`${companyId}`));

/** Keeps the field definitions of a company unchanged until the end of the transaction. */
export const lockFieldDefinitionsShared = (db: Database, companyId: number): Promise<void> =>
  lock(db, shared(definitionsOf(companyId)));

/**
 * Locks the field definitions of a company exclusively. Waits for all transactions that hold the shared lock or the
 * company's lock.
 */
export const lockFieldDefinitionsExclusive = (db: Database, companyId: number): Promise<void> =>
  lock(db, exclusive(definitionsOf(companyId)));
