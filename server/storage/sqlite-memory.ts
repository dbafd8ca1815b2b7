import { DatabaseSync } from 'node:sqlite';
import { Kysely, SqliteDialect } from 'kysely';
import { groupCommit } from './group-commit.ts';
import { trackWork } from './in-work.ts';
import { migrate } from './migrate.ts';
import { createNews } from './news.ts';
import type { Schema } from './schema.ts';
import { withoutLocks } from './sqlite.ts';
import { explained, isLocked } from './sqlite-errors.ts';
import { preparedOnce } from './sqlite-statements.ts';
import type { Store } from './store.ts';

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
