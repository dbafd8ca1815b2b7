import { engineOf } from './engines.ts';
import type { Database } from './store.ts';

/*
 * Where writers work side by side, what one of them decides by must stay as it is until its commit. The locks
 * of rows do that, and end with the transaction: of the company, then of a contact or a conversation, then of
 * webhooks by their ids. Who takes them in this order waits for nobody who waits for him. On the embedded
 * database a writer is alone, and none is taken.
 */

/**
 * Lets nobody else add contacts, conversations, fields or webhooks to a company. So a limit on their number
 * holds, and whoever pages upwards by ids misses none: a smaller id is never committed later (D19).
 */
export async function holdCompany(db: Database, companyId: number): Promise<void> {
  await db.selectFrom('companies').select('id').where('id', '=', companyId).forNoKeyUpdate().execute();
}

/** Lets nobody change the definitions of fields, which say what a value may be. */
export async function keepDefinitions(db: Database, companyId: number): Promise<void> {
  await db.selectFrom('companies').select('id').where('id', '=', companyId).forKeyShare().execute();
}

/** Waits for all who rely on the definitions of fields, and keeps others from it: they are about to change. */
export async function holdDefinitions(db: Database, companyId: number): Promise<void> {
  await db.selectFrom('companies').select('id').where('id', '=', companyId).forUpdate().execute();
}

/** Lets nobody else fill an empty database until the end of the transaction. */
export const holdDatabase = (db: Database): Promise<void> => engineOf(db).lock(db);
