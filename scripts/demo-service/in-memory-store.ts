import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { trackInFlight } from '../../server/storage/in-flight.ts';
import { runMigrations } from '../../server/storage/migrations/migrate.ts';
import type { Schema } from '../../server/storage/schema.ts';
import { isLocked, sqliteToStoreError } from '../../server/storage/sqlite/errors.ts';
import { groupCommit } from '../../server/storage/sqlite/group-commit.ts';
import { withoutLocks } from '../../server/storage/sqlite/sqlite-store.ts';
import { preparedOnce } from '../../server/storage/sqlite/statements.ts';
import type { Store } from '../../server/storage/store.ts';

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
