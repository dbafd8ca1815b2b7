import { DatabaseSync } from 'node:sqlite';
import { engineOf } from '../engine.ts';
import type { ErasureRow } from '../queries/erasures.ts';
import type { WebhookStateRow } from '../queries/webhooks.ts';
import type { Schema } from '../schema.ts';
import { tableNames } from '../schema.ts';
import type { Database } from '../store.ts';
import { assertIntact } from './integrity.ts';

/** Changes of the replaced database that a restore must not undo. */
export interface CarryOver {
  erasures: ErasureRow[];
  /**
   * The current encrypted secrets and last sequences of webhooks. The backup may contain a secret that has leaked
   * since, and receivers skip events whose sequence they know.
   */
  webhooks: WebhookStateRow[];
  /** The last ID of each table: IDs are never reused (D39). */
  lastIds: { table: keyof Schema; id: number }[];
  /** Whether the database is intact. If not, entries may be missing. */
  isIntact: boolean;
}

// A webhook is included only if its row no longer exists. Otherwise `revocationsSql` reads its current state.
const erasuresSql = `
  SELECT * FROM erasures WHERE kind <> 'webhook' OR NOT EXISTS
    (SELECT 1 FROM webhooks WHERE id = erasures.entity_id AND created_at = erasures.entity_created_at)`;

const revocationsSql = `
  SELECT company_id, 'token' AS kind, id AS entity_id, created_at AS entity_created_at, revoked_at AS erased_at
  FROM tokens WHERE revoked_at IS NOT NULL
  UNION ALL SELECT company_id, 'webhook', id, created_at, coalesce(deleted_at, disabled_at)
  FROM webhooks WHERE deleted_at IS NOT NULL OR disabled_why = 'operator'`;

const webhooksSql = `
  SELECT company_id, id, created_at, secret, previous_secret, previous_secret_until, last_sequence
  FROM webhooks WHERE deleted_at IS NULL`;

/**
 * Reads the changes to carry over from the database that is replaced.
 * @returns undefined if the database cannot be read, for example because it is corrupted
 */
export function readCarryOver(file: string): CarryOver | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    // Databases of earlier versions do not have the table `erasures`.
    const hasErasures = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'erasures'").get();
    const erasures = [revocationsSql, ...(hasErasures ? [erasuresSql] : [])].flatMap(
      (sql) => database?.prepare(sql).all() ?? [],
    );
    return {
      erasures: erasures.map((row) => ({
        company_id: Number(row.company_id),
        kind: erasureKind(row.kind),
        entity_id: Number(row.entity_id),
        entity_created_at: Number(row.entity_created_at),
        erased_at: Number(row.erased_at),
      })),
      webhooks: database.prepare(webhooksSql).all().map(webhookRow),
      lastIds: database
        .prepare('SELECT name, seq FROM sqlite_sequence')
        .all()
        .flatMap(({ name, seq }) =>
          tableNames.filter((table) => table === name).map((table) => ({ table, id: Number(seq) })),
        ),
      isIntact: isIntact(database, file),
    };
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}

/** Makes new IDs continue after the last ones of the replaced database. */
export async function continueIds(db: Database, lastIds: CarryOver['lastIds']): Promise<void> {
  for (const { table, id } of lastIds) await engineOf(db).raiseIdSequence(db, table, id);
}

function isIntact(database: DatabaseSync, file: string): boolean {
  try {
    assertIntact(database, file);
    return true;
  } catch {
    return false;
  }
}

function erasureKind(kind: unknown): ErasureRow['kind'] {
  if (kind === 'company' || kind === 'contact' || kind === 'token' || kind === 'webhook') return kind;
  throw new Error(`${kind} is not a kind of erasure.`);
}

function webhookRow(row: Record<string, unknown>): WebhookStateRow {
  const { company_id, id, created_at, secret, previous_secret, previous_secret_until, last_sequence } = row;
  if (!(secret instanceof Uint8Array)) throw new Error('The secret of a webhook is not a blob.');
  return {
    company_id: Number(company_id),
    id: Number(id),
    created_at: Number(created_at),
    secret,
    previous_secret: previous_secret instanceof Uint8Array ? previous_secret : null,
    previous_secret_until: previous_secret_until === null ? null : Number(previous_secret_until),
    last_sequence: Number(last_sequence),
  };
}
