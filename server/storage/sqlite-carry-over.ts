import { DatabaseSync } from 'node:sqlite';
import type { ErasureRow } from './erasures.ts';

/** What a restore must not undo. */
export interface CarryOver {
  /** SHA-256 of each revoked token, and when it was revoked, in milliseconds since 1970. */
  revoked: { digest: Uint8Array; revoked_at: number }[];
  erasures: ErasureRow[];
}

/** Reads it from the database that is replaced. @returns undefined if that cannot be read, for example because it is corrupted */
export function readCarryOver(file: string): CarryOver | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true });
    const revoked = database
      .prepare('SELECT digest, revoked_at FROM tokens WHERE revoked_at IS NOT NULL')
      .all() as unknown as CarryOver['revoked'];
    const hasErasures = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'erasures'").get();
    const erasures = hasErasures ? database.prepare('SELECT * FROM erasures').all() : [];
    return { revoked, erasures: erasures as unknown as ErasureRow[] };
  } catch {
    return undefined;
  } finally {
    database?.close();
  }
}
