import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { AuditRecordTable } from '../tables/audit-records.ts';

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
