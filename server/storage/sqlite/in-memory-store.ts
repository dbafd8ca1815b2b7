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
  const { use, isOpen, close, ended, count } = trackInFlight(sqliteToStoreError);
  return {
    read: (work) => use(() => write(work)),
    readSnapshot: (work) => use(() => write(work)),
    write: (work) => use(() => write(work)),
    // All writes share commits, and need no locks.
    writeInGroup: (work) => use(() => write(work)),
    // Nothing is stored in files.
    purgeDeleted: async () => true,
    checkIntegrity: async () => undefined,
    health: () => ({
      state: isOpen() ? 'ok' : 'away',
      inFlight: count() - waiting(),
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
