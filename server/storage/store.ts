import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

declare const inTransaction: unique symbol;

/**
 * The database handle in a write transaction. Only `Store.write` and `Store.writeInGroup` pass one, so events can be
 * published only in a transaction.
 */
export type Transaction = Database & { readonly [inTransaction]: true };

/** Marks a database handle as that of a write transaction. Only the engines may call it. */
export const asTransaction = (db: Database): Transaction => db as Transaction;

/** Access to the database. Callers do not depend on its engine, SQLite or PostgreSQL. */
export interface Store {
  /** Runs queries that change nothing. SQLite rejects writes in it; PostgreSQL rejects them only in `readSnapshot`. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs queries on one snapshot. `work` must await nothing but the database, because other callers wait for the
   * connection.
   */
  readSnapshot<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs queries in a transaction and resolves after its commit; if `work` throws, the transaction is rolled back.
   * `work` must await nothing but the database, because other callers wait. It may run again if the transaction fails
   * to serialize.
   * @param company ID of the company that the write is for, used for fair scheduling
   */
  write<T>(work: (db: Transaction) => Promise<T>, company?: number): Promise<T>;
  /** Like `write`, with the locks of a group. Waiting writes of a company and group may share a transaction. */
  writeInGroup<T>(work: (db: Transaction) => Promise<T>, company: number, group: WriteGroup): Promise<T>;
  /** Returns the state of the database, and how much work waits. */
  health(): StoreHealth;
  /**
   * Removes deleted data from the database files (SQLite).
   * @returns false if the database does so itself (PostgreSQL, with VACUUM)
   */
  purgeDeleted(): Promise<boolean>;
  /**
   * Checks the integrity of all data without blocking other callers (SQLite).
   * @returns a description of the corruption, if there is any; this process then writes nothing more
   */
  checkIntegrity(): Promise<string | undefined>;
  /** Waits for work in flight, then closes the database. */
  close(): Promise<void>;
}

/**
 * Writes that take the same locks. In a shared transaction (PostgreSQL), they take them together, and their statements
 * interleave.
 */
export interface WriteGroup {
  name: string;
  /** ID of the entity that the write changes. Writes with the same subject run one after another. */
  subject?: number;
  /** Takes the locks of writes about these subjects. Called first in each transaction. */
  lock: (db: Database, subjects: readonly number[]) => Promise<void>;
}

export interface StoreHealth {
  /** `away` if the database is closed, or a remote one does not respond; `damaged` if the embedded one is known to be corrupted. */
  state: 'ok' | 'away' | 'damaged';
  /** The number of operations that wait for a slot. */
  waiting: number;
}

/** The database cannot be used now, for example because it is unreachable, locked by another process or read-only. */
export class StoreUnavailable extends Error {}

/** The database is corrupted. A process that detects this writes nothing more. */
export class StoreCorrupted extends StoreUnavailable {}

/** Another transaction held a lock for longer than the caller waits. */
export class LockTimeout extends StoreUnavailable {}

/** The unique index already contains the value. */
export class UniqueViolation extends Error {}
