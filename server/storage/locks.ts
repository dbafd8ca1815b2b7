import { engineOf } from './engine.ts';
import type { Database } from './store.ts';

/*
 * Where writers work side by side, what one of them decides by must stay as it is until its commit. Locks do
 * that, and end with the transaction: of a company, then of its contact or conversation, then of its webhooks by
 * their ids (those of a message before those of its conversation). Who takes them in this order waits for nobody
 * who waits for him. On the embedded database a writer is alone, and none is taken.
 */

/** Lets nobody else fill an empty database. */
export const lockDatabase = (db: Database): Promise<void> => engineOf(db).lockDatabase(db);

/**
 * Lets nobody else add contacts, conversations, fields or webhooks to a company, or change the definitions of its
 * fields. So a limit on their number holds, and whoever pages upwards by ids misses none: a smaller id is never
 * committed later (D19).
 */
export const lockCompany = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockCompany(db, companyId);

/** Lets nobody change the definitions of a company's fields, which say what a value may be. */
export const lockFieldDefinitionsShared = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockFieldDefinitionsShared(db, companyId);

/** Waits for all who rely on the definitions of fields, and keeps others from it: they are about to change. */
export const lockFieldDefinitionsExclusive = (db: Database, companyId: number): Promise<void> =>
  engineOf(db).lockFieldDefinitionsExclusive(db, companyId);
