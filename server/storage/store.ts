import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Storage. Callers do not know which engine runs. */
export interface Store {
  /** Runs queries that change nothing. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs queries on one snapshot. The work must await only the database, because other callers wait for the
   * connection.
   */
  readSnapshot<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs queries in a transaction and resolves after its commit; if the work throws, the transaction is rolled back.
   * The work must await only the database, because other callers wait. It may run again if the transaction fails to
   * serialize.
   * @param company whose work it is, for fair scheduling
   */
  write<T>(work: (db: Database) => Promise<T>, company?: number): Promise<T>;
  /**
   * Calls the listener after each commit that enqueued deliveries: in this process, and in others if the database can
   * notify. Notifications can be missed, so poll as well.
   * @returns a function that removes the listener
   */
  onDeliveriesEnqueued(listener: () => void): () => void;
  /** Returns the work in flight and waiting on the database. */
  health(): StoreHealth;
  /**
   * Removes deleted data from the database files (SQLite).
   * @returns false if the database does so itself (PostgreSQL, with VACUUM)
   */
  purgeDeleted(): Promise<boolean>;
  /**
   * Checks the integrity of all data without blocking other callers (SQLite).
   * @returns a description of the corruption; from then on this process writes nothing
   */
  checkIntegrity(): Promise<string | undefined>;
  /** Waits for work in flight, then closes the database. */
  close(): Promise<void>;
}

export interface StoreHealth {
  /** False if a remote database does not respond, or the embedded one is corrupted. */
  isReachable: boolean;
  /** Whether the embedded database is known to be corrupted. */
  isCorrupted: boolean;
  inFlight: number;
  waiting: number;
}

/** The database cannot be reached, is locked by another process, or is read-only. */
export class StoreUnavailable extends Error {}

/** The database is corrupted. Processes that know it write nothing more. */
export class StoreCorrupted extends StoreUnavailable {}

/** Another transaction held a lock for longer than the caller waits. */
export class LockTimeout extends StoreUnavailable {}

/** The unique index already contains the value. */
export class UniqueViolation extends Error {}
