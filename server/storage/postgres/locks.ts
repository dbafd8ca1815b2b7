import { sql } from 'kysely';
import type { Database } from '../store.ts';

// Advisory locks need no row, and who waits for one stands in a line: locks of rows let those who share one pass
// by those who want it for themselves, for ever. A company has two numbers, its own and that below zero.
const definitionsOf = (companyId: number): number => -companyId;

// Any number will do that no company has, as long as every Parley takes the same one: the letters "Parley".
const parley = 0x5061726c6579;

/** How long a step of the schema waits for a lock before it lets others pass. */
export const briefMs = 2_000;

export async function waitBriefly(db: Database): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(briefMs)}`.execute(db);
}

export async function lockDatabase(db: Database): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(parley)})`.execute(db);
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
