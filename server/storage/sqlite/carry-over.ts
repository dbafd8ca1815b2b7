import { DatabaseSync } from 'node:sqlite';
import type { ErasureRow } from '../queries/erasures.ts';
import type { Revocation } from '../queries/revocations.ts';

/** Revocations and erasures, which a restore must not undo. */
export interface CarryOver {
  revocations: Revocation[];
  erasures: ErasureRow[];
}

/**
 * Reads the carry-over from the database that is replaced. @returns undefined if that cannot be read, for example
 * because it is corrupted
 */
export function readCarryOver(file: string): CarryOver | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const revocations = database
      .prepare('SELECT digest, revoked_at FROM tokens WHERE revoked_at IS NOT NULL')
      .all()
      .map(({ digest, revoked_at }) => {
        if (!(digest instanceof Uint8Array)) throw new Error('The digest of a token is no blob.');
        return { digest, revoked_at: Number(revoked_at) };
      });
    // Earlier versions do not have the table.
    const hasErasures = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'erasures'").get();
    const erasures = hasErasures ? database.prepare('SELECT * FROM erasures').all() : [];
    return {
      revocations,
      erasures: erasures.map((row) => ({
        company_id: Number(row.company_id),
        kind: row.kind === 'company' ? 'company' : 'contact',
        entity_id: Number(row.entity_id),
        entity_created_at: Number(row.entity_created_at),
        erased_at: Number(row.erased_at),
      })),
    };
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
