import { sql } from 'kysely';
import type { Database } from '../store.ts';

// Advisory locks need no row and are granted in order. With row locks, shared lockers could starve an exclusive one.
// A company's lock ID is its own ID, and the lock ID of its field definitions is the negative of it.
const definitionsOf = (companyId: number): number => -companyId;

// The locks of tokens have two keys, which PostgreSQL keeps apart from IDs: "tokn" in ASCII, and the company's ID as a
// 32-bit integer. Companies with the same remainder share a lock.
const tokensOf = (companyId: number) => sql`${sql.lit(0x746f6b6e)}, ${companyId % 2 ** 31}::int`;

// The lock ID of the whole database: "Parley" in ASCII, which no company has as its ID.
const parley = 0x5061726c6579;

/**
 * Lock timeout of migrations. After it, a migration is rolled back, and retried after a pause of the same length.
 * During the pause, statements that queued behind the migration can run.
 */
export const migrationLockTimeoutMs = 2_000;

export async function waitBriefly(db: Database): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(migrationLockTimeoutMs)}`.execute(db);
}

export async function lockDatabase(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(parley)})`.execute(db);
}

export async function lockTokensShared(db: Database, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${tokensOf(companyId)})`.execute(db);
}

export async function lockTokensExclusive(db: Database, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${tokensOf(companyId)})`.execute(db);
}

export async function lockCompany(db: Database, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${definitionsOf(companyId)}), pg_advisory_xact_lock(${companyId})`.execute(
    db,
  );
}

export async function lockFieldDefinitionsShared(db: Database, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${definitionsOf(companyId)})`.execute(db);
}

export async function lockFieldDefinitionsExclusive(db: Database, companyId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${definitionsOf(companyId)})`.execute(db);
}
