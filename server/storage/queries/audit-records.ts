import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { AuditRecordTable } from '../tables/audit-records.ts';
import { deleteRows, is, selectRows } from './rows.ts';

export type AuditRecordRow = Selectable<AuditRecordTable>;

export async function insertAuditRecord(db: Database, row: Insertable<AuditRecordTable>): Promise<void> {
  await db.insertInto('audit_records').values(row).execute();
}

/** A selection of audit records. Times are milliseconds since 1970: at or after `from`, and before `to`. */
export interface AuditSelection {
  companyId?: number | undefined;
  tokenId?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  limit: number;
}

/** Lists audit records, newest first. */
export function listAuditRecords(
  db: Database,
  { companyId, tokenId, from, to, limit }: AuditSelection,
): Promise<AuditRecordRow[]> {
  let query = db.selectFrom('audit_records').selectAll().limit(limit);
  if (companyId !== undefined) query = query.where('company_id', '=', companyId);
  if (tokenId !== undefined) query = query.where('token_id', '=', tokenId);
  if (from !== undefined) query = query.where('created_at', '>=', from);
  if (to !== undefined) query = query.where('created_at', '<', to);
  return (companyId === undefined ? query.orderBy('created_at', 'desc') : query)
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes a batch of old records, and those of the same millisecond. @returns their number */
export async function purgeAuditRecords(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const old = { created_at: is.lessThan(before) };
  const rows = await selectRows(db, 'audit_records', ['created_at'], old, { orderBy: 'created_at', limit });
  const last = rows.at(-1);
  return last ? deleteRows(db, 'audit_records', { created_at: is.atMost(last.created_at) }) : 0;
}
