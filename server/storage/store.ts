import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

/** Storage, in two verbs, one of them in two strengths. Whoever uses it knows nothing of engines. */
export interface Store {
  /** Runs queries that change nothing. */
  read<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs queries that change nothing and all see the database as it is at one moment. The work may await
   * nothing but the database: others are waiting for their turn.
   */
  readSnapshot<T>(work: (db: Database) => Promise<T>): Promise<T>;
  /**
   * Runs queries in a transaction and resolves after its commit; where the work throws, nothing of it
   * stays. The work may await nothing but the database: others are waiting for their turn. It may be run
   * again from its beginning, where the database could not bring it and another one into an order.
   * @param company whose work it is: no company takes all that there is from the others
   */
  write<T>(work: (db: Database) => Promise<T>, company?: number): Promise<T>;
  /**
   * Calls the listener after each commit that has left something to send: in this process, and in others where the
   * database can tell. Whoever must not miss any looks by himself, too.
   * @returns ends it
   */
  onDeliveriesEnqueued(listener: () => void): () => void;
  /** How much is at work on the database for this process, and how much waits until it may be. */
  health(): StoreHealth;
  /**
   * Brings what was deleted out of the files, too, where it is for us to do.
   * @returns false where the database does so in its own time
   */
  purgeDeleted(): Promise<boolean>;
  /**
   * Looks through all that is stored, where it is for us to do, without holding up anybody.
   * @returns what is damaged; from then on this process writes nothing
   */
  checkIntegrity(): Promise<string | undefined>;
  /** Waits for what is in work, then lets go of the database. */
  close(): Promise<void>;
}

export interface StoreHealth {
  /** False where a database on another machine does not answer, or one of our own is damaged. */
  isReachable: boolean;
  /** True where a database of our own is known not to be whole. */
  isCorrupted: boolean;
  inFlight: number;
  waiting: number;
}

/** The database cannot be reached, is locked by another program, or cannot be written to. */
export class StoreUnavailable extends Error {}

/** The database is not whole. Whoever knows it writes nothing to it any more. */
export class StoreCorrupted extends StoreUnavailable {}

/** Somebody else has held a lock for longer than this caller waits. */
export class LockTimeout extends StoreUnavailable {}

/** A unique index holds the value already. */
export class UniqueViolation extends Error {}
