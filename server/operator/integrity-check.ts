import { DatabaseSync } from 'node:sqlite';
import { Command } from 'commander';
import { pendingMigrationsAt } from '../runtime/open-store.ts';
import { allMigrations } from '../storage/migrations/migrate.ts';
import { assertIntact } from '../storage/sqlite/backup.ts';
import { actionAt, requireFile, sqliteFileOf } from './action.ts';

export const integrityCheck = (): Command =>
  new Command('check')
    .description('Look through the whole embedded database, beside a running service: is it sound?')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Every page is read, every index compared with its table, and every reference followed; nothing is written. The service
does this by itself, a minute after each start and once a day. Words that have changed within a text are no fault that
SQLite can see. PostgreSQL has tools of its own for this, such as pg_amcheck.

Example:
  npm run -s parley -- check

Exit codes: 0 it is sound, 1 it is damaged or cannot be read, 2 called wrongly.`,
    )
    .action(
      actionAt<{ json?: true }>(async (address) => {
        const file = requireFile(sqliteFileOf(address, 'For PostgreSQL use pg_amcheck.'));
        // Whether it is one of ours, and whole by its own header.
        if ((await pendingMigrationsAt(address)).length === allMigrations.length)
          throw new Error(`There is nothing in ${file}.`);
        const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
        try {
          assertIntact(database, file);
          // With what is still in its log.
          const { page_count: pages } = database.prepare('PRAGMA page_count').get() ?? {};
          const { page_size: bytesEach } = database.prepare('PRAGMA page_size').get() ?? {};
          const bytes = Number(pages) * Number(bytesEach);
          return {
            text: `${file} is sound (${bytes.toLocaleString('en')} bytes).`,
            json: { file, sound: true, bytes },
          };
        } finally {
          database.close();
        }
      }),
    );
