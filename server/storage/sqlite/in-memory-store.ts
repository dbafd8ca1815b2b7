import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { trackInFlight } from '../in-flight.ts';
import { runMigrations } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import { isLocked, sqliteToStoreError } from './errors.ts';
import { groupCommit } from './group-commit.ts';
import { withoutLocks } from './sqlite-store.ts';
import { preparedOnce } from './statements.ts';

/** Opens an in-memory database, which is lost when it is closed. Reads and writes share its one connection. */
export async function openInMemory(): Promise<Store> {
  const raw = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  const dialect = new SqliteDialect({ database: preparedOnce(raw) });
  const db = new Kysely<Schema>({ dialect, plugins: [withoutLocks] });
  const { write, finish, waiting } = groupCommit(raw, db, { lockWaitMs: 0, isLocked });
  await write((own) => runMigrations(own));
  const { use, isOpen, close, ended } = trackInFlight(sqliteToStoreError);
  // All work shares commits, and needs no locks.
  const run: typeof write = (work) => use(() => write(work));
  return {
    ...{ read: run, readSnapshot: run, write: run, writeInGroup: run },
    // Nothing is stored in files.
    purgeDeleted: async () => true,
    checkIntegrity: async () => undefined,
    health: () => ({
      state: isOpen() ? 'ok' : 'away',
      waiting: waiting(),
    }),
    async close() {
      if (!close()) return;
      await finish();
      await ended();
      raw.close();
    },
  };
}
