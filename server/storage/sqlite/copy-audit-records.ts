import { DatabaseSync } from 'node:sqlite';
import type { Insertable } from 'kysely';
import { insertAuditRecords, lastAuditRecordId } from '../queries/audit-records.ts';
import type { AuditRecordTable } from '../schema.ts';
import type { Database } from '../store.ts';

// Limits the number of parameters of a statement.
const batchSize = 500;

/**
 * Adds the audit records of the replaced database that are newer than the backup, so that a restore removes none.
 * @param file the replaced database, which must be intact
 */
export async function copyAuditRecords(db: Database, file: string): Promise<void> {
  const from = new DatabaseSync(file, { readOnly: true });
  try {
    // Databases of earlier versions do not have the table.
    if (!from.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'audit_records'").get()) return;
    const newer = from.prepare('SELECT * FROM audit_records WHERE id > ? ORDER BY id LIMIT ?');
    for (let last = await lastAuditRecordId(db); ; ) {
      const rows = newer.all(last, batchSize).map(toRecord);
      await insertAuditRecords(db, rows);
      if (rows.length < batchSize) return;
      last = rows.at(-1)?.id ?? last;
    }
  } finally {
    from.close();
  }
}

function toRecord(row: Record<string, unknown>): Insertable<AuditRecordTable> & { id: number } {
  const text = (value: unknown): string | null => (value === null ? null : String(value));
  const integer = (value: unknown): number | null => (value === null ? null : Number(value));
  return {
    id: Number(row.id),
    company_id: Number(row.company_id),
    created_at: Number(row.created_at),
    operator: text(row.operator),
    token_id: integer(row.token_id),
    user_id: integer(row.user_id),
    action: String(row.action),
    entity_id: integer(row.entity_id),
    request_id: text(row.request_id),
    options: text(row.options),
  };
}
