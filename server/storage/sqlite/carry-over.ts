import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { ErasureRow } from '../queries/erasures.ts';
import { assertIntact } from './corruption.ts';

/** Counts and erasures that a restore has copied from the database that it replaces. */
export interface CarriedOver {
  tokensRevoked: number;
  webhooksDisabled: number;
  /** The erasures of contacts and companies, which the caller repeats. */
  erasures: ErasureRow[];
  /** Whether the replaced database is intact. If not, changes may be missing. */
  isIntact: boolean;
}

const erasureColumns = 'company_id, kind, entity_id, entity_created_at, erased_at';
const auditColumns =
  'id, company_id, created_at, operator, token_id, user_id, action, entity_id, request_id, options';

/** The condition that a row of `carried` names a row of a table. */
const isNamed = (table: string, kind: string): string =>
  `c.kind = '${kind}' AND c.company_id = ${table}.company_id AND c.entity_id = ${table}.id
    AND c.entity_created_at = ${table}.created_at`;

// The erasure of a webhook counts only if its row no longer exists. Otherwise, its row has the current state.
const collectSql = `CREATE TEMP TABLE carried AS
  SELECT ${erasureColumns} FROM replaced.erasures c WHERE kind <> 'webhook' OR NOT EXISTS
    (SELECT 1 FROM replaced.webhooks w WHERE ${isNamed('w', 'webhook')})
  UNION ALL SELECT company_id, 'token', id, created_at, revoked_at FROM replaced.tokens WHERE revoked_at IS NOT NULL
  UNION ALL SELECT company_id, 'webhook', id, created_at, coalesce(deleted_at, disabled_at) FROM replaced.webhooks
    WHERE deleted_at IS NOT NULL OR disabled_why = 'operator'`;

const keepAuditSql = `
  INSERT INTO main.audit_records (${auditColumns}) SELECT ${auditColumns} FROM replaced.audit_records
    WHERE id > (SELECT coalesce(max(id), 0) FROM main.audit_records);`;

const keepSql = `
  -- A token or webhook that the backup lacks may be in the backup of the next restore.
  INSERT OR IGNORE INTO main.erasures (${erasureColumns}) SELECT ${erasureColumns} FROM carried
    WHERE kind IN ('token', 'webhook');
  -- The backup may contain a secret that has leaked since, and receivers skip events whose sequence they know.
  UPDATE main.webhooks AS w SET secret = r.secret, previous_secret = r.previous_secret,
    previous_secret_until = r.previous_secret_until, last_sequence = max(w.last_sequence, r.last_sequence)
    FROM replaced.webhooks r WHERE r.company_id = w.company_id AND r.id = w.id AND r.created_at = w.created_at
      AND r.deleted_at IS NULL;
  INSERT OR REPLACE INTO main.unsettled_webhooks (company_id, webhook_id, change)
    SELECT w.company_id, w.id, abs(random() % (1 << 47)) FROM main.webhooks w JOIN carried c ON ${isNamed('w', 'webhook')};
  -- IDs are never reused (D39).
  INSERT INTO main.sqlite_sequence (name, seq) SELECT name, 0 FROM main.sqlite_schema
    WHERE type = 'table' AND name NOT IN (SELECT name FROM main.sqlite_sequence)
      AND name IN (SELECT name FROM replaced.sqlite_sequence);
  UPDATE main.sqlite_sequence AS s SET seq = max(s.seq, r.seq) FROM replaced.sqlite_sequence r WHERE r.name = s.name`;

const revokeTokensSql = `UPDATE main.tokens AS t SET revoked_at = c.erased_at FROM carried c
  WHERE ${isNamed('t', 'token')} AND t.revoked_at IS NULL`;

const disableWebhooksSql = `UPDATE main.webhooks AS w SET disabled_at = ?1, disabled_why = 'operator',
    updated_at = max(w.updated_at, ?1) FROM carried c
  WHERE ${isNamed('w', 'webhook')} AND w.deleted_at IS NULL
    AND (w.disabled_at IS NULL OR w.disabled_why IS NOT 'operator')`;

/**
 * Repeats in a restored database the changes of the replaced one that a restore must not undo: revoked tokens, disabled
 * and deleted webhooks, their secrets, audit records, and the IDs and sequences that were assigned.
 * @param file the restored database, with the current schema
 * @param replaced the replaced database, which is not changed
 * @returns undefined if the replaced database cannot be read, for example because it is corrupted
 */
export function carryOver(file: string, replaced: string, now: number): CarriedOver | undefined {
  const database = new DatabaseSync(file);
  try {
    database.exec('PRAGMA trusted_schema = OFF');
    database.prepare('ATTACH ? AS replaced').run(`${pathToFileURL(replaced)}?mode=ro`);
    const isIntact = isIntactFile(replaced);
    // Corrupted audit records must not keep revocations from being repeated.
    database.exec(`BEGIN IMMEDIATE; ${collectSql}; ${isIntact ? keepAuditSql : ''} ${keepSql}`);
    const change = (sql: string, ...given: number[]): number =>
      Number(database.prepare(sql).run(...given).changes);
    const changed = {
      tokensRevoked: change(revokeTokensSql),
      webhooksDisabled: change(disableWebhooksSql, now),
    };
    const erasures = database.prepare("SELECT * FROM carried WHERE kind IN ('contact', 'company')").all();
    database.exec('COMMIT');
    return { ...changed, erasures: erasures.map(erasureRow), isIntact };
  } catch {
    return undefined;
  } finally {
    database.close();
  }
}

const erasureRow = ({
  company_id,
  kind,
  entity_id,
  entity_created_at,
  erased_at,
}: object & Record<string, unknown>): ErasureRow => ({
  company_id: Number(company_id),
  kind: kind === 'company' ? kind : 'contact',
  entity_id: Number(entity_id),
  entity_created_at: Number(entity_created_at),
  erased_at: Number(erased_at),
});

function isIntactFile(file: string): boolean {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    assertIntact(database, file);
    return true;
  } catch {
    return false;
  } finally {
    database.close();
  }
}
