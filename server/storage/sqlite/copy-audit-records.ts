import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

const columns =
  'id, company_id, created_at, operator, token_id, user_id, action, entity_id, request_id, options';

/**
 * Adds the audit records of the replaced database that are newer than the backup, so that a restore removes none.
 * @param file the restored database, with the current schema
 * @param replaced the replaced database, which must be intact, and is not changed
 */
export function copyAuditRecords(file: string, replaced: string): void {
  const database = new DatabaseSync(file);
  try {
    database.prepare('ATTACH ? AS replaced').run(`${pathToFileURL(replaced)}?mode=ro`);
    // Databases of earlier versions do not have the table.
    if (!database.prepare("SELECT 1 FROM replaced.sqlite_schema WHERE name = 'audit_records'").get()) return;
    database.exec(`INSERT INTO main.audit_records (${columns}) SELECT ${columns} FROM replaced.audit_records
      WHERE id > (SELECT coalesce(max(id), 0) FROM main.audit_records)`);
  } finally {
    database.close();
  }
}
