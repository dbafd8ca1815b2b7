import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { createNews } from '../delivery-notifier.ts';
import { trackWork } from '../in-flight.ts';
import { migrate } from '../migrations/migrate.ts';
import type { Schema } from '../schema.ts';
import type { Store } from '../store.ts';
import { explained, isLocked } from './errors.ts';
import { groupCommit } from './group-commit.ts';
import { withoutLocks } from './sqlite-store.ts';
import { preparedOnce } from './statements.ts';

/**
 * A database in this process's memory, which is gone when it is closed: for trying things out.
 * There is one connection, so whoever reads takes a turn among those who write.
 */
export async function openInMemory(): Promise<Store> {
  const raw = new DatabaseSync(':memory:', { enableForeignKeyConstraints: true });
  const dialect = new SqliteDialect({ database: preparedOnce(raw) });
  const db = new Kysely<Schema>({ dialect, plugins: [withoutLocks] });
  const { write, finish, waiting } = groupCommit(raw, db, { lockWaitMs: 0, isLocked });
  await write((own) => migrate(own, 'sqlite'));
  const { use, close, ended, count } = trackWork(explained);
  const news = createNews();
  return {
    read: (work) => use(() => write(work)),
    readTogether: (work) => use(() => write(work)),
    write: news.after((work) => use(() => write(work))),
    onDeliveries: news.listen,
    // Nothing of it is in any file.
    scrub: async () => true,
    inspect: async () => undefined,
    load: () => ({ isReachable: true, isDamaged: false, atWork: count() - waiting(), waiting: waiting() }),
    async close() {
      if (!close()) return;
      await finish();
      await ended();
      raw.close();
    },
  };
}
