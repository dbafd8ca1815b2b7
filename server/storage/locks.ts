import { engineOf } from './engine.ts';
import type { Database } from './store.ts';

/*
 * Locks keep what a transaction relies on unchanged until its commit. They are taken in one order, which prevents
 * deadlocks: company, then contact or conversation, then webhooks by ID (a message's webhooks before those of its
 * conversation). The embedded database has a single writer and needs no locks.
 */

/** Locks an empty database against other processes that fill it. */
export const lockDatabase = (db: Database): Promise<void> => engineOf(db).lockDatabase(db);

/**
 * Locks a company: no other transaction adds contacts, conversations, fields or webhooks, or changes field
 * definitions. So limits on their number are exact, and a client that pages upwards by ID misses none, because no
 * smaller ID is committed later (D19).
 */
export const lockCompany = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockCompany(db, companyId);

/** Keeps the field definitions of a company unchanged. */
export const lockFieldDefinitionsShared = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockFieldDefinitionsShared(db, companyId);

/** Waits for all transactions that rely on the field definitions, before they change. */
export const lockFieldDefinitionsExclusive = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockFieldDefinitionsExclusive(db, companyId);
