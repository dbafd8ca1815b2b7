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

/** Deletes a batch of old records, and those of the same millisecond. @returns their number */
export async function purgeAuditRecords(
  db: Database,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const oldest = db
    .selectFrom('audit_records')
    .select('created_at')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit);
  const { last } = await db
    .selectFrom(oldest.as('oldest'))
    .select((eb) => eb.fn.max<number | null>('created_at').as('last'))
    .executeTakeFirstOrThrow();
  if (last === null) return 0;
  const { numDeletedRows } = await db
    .deleteFrom('audit_records')
    .where('created_at', '<=', last)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
