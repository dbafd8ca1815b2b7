import { DatabaseSync } from 'node:sqlite';
import { Command } from 'commander';
import { pendingMigrationsAt } from '../runtime/open-store.ts';
import { allMigrations } from '../storage/migrations/migrate.ts';
import { assertIntact } from '../storage/sqlite/integrity.ts';
import { actionAt, requireFile, sqliteFileOf } from './action.ts';

export const integrityCheck = (): Command =>
  new Command('integrity-check')
    .description('Check the integrity of the embedded database; the service may be running.')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Reads every page, compares every index with its table, and follows every reference. It writes nothing. The service runs
the same check one minute after each start and once a day. SQLite cannot detect a changed byte inside a text. For
PostgreSQL use a tool of its own, such as pg_amcheck.

Example:
  npm run -s parley -- integrity-check

Exit codes: 0 the database is intact, 1 it is corrupted or cannot be read, 2 usage error.`,
    )
    .action(
      actionAt<{ json?: true }>(async (address) => {
        const file = requireFile(sqliteFileOf(address, 'For PostgreSQL use pg_amcheck.'));
        // Rejects other applications' files and truncated files.
        if ((await pendingMigrationsAt(address)).length === allMigrations.length)
          throw new Error(`${file} is empty.`);
        const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
        try {
          assertIntact(database, file);
          // Includes pages that are still in the write-ahead log.
          const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
          const { page_size: pageSize } = database.prepare('PRAGMA page_size').get() ?? {};
          const bytes = Number(pages) * Number(pageSize);
          return {
            text: `${file} is intact (${bytes.toLocaleString('en')} bytes).`,
            json: { file, ok: true, bytes },
          };
        } finally {
          database.close();
        }
      }),
    );
