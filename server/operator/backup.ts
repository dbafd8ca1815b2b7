import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { pendingMigrationsAt } from '../runtime/open-store.ts';
import { backupSqlite } from '../storage/sqlite/backup.ts';
import { actionAt, parsePath, requireFile, sqliteFileOf } from './action.ts';
import { cliIo } from './cli-io.ts';

interface Options {
  to: string;
  json?: true;
}

export const backup = (): Command =>
  new Command('backup')
    .description('Copy the embedded database, beside a running service.')
    .requiredOption('--to <file>', 'the copy; nothing may have that name', parsePath)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The copy is of one moment, that at which the command begins, and is checked before it gets its name. The key of the
secrets ("….key" beside the database) is not in it: keep that apart, for without it the webhooks' secrets are lost.
PostgreSQL has tools of its own for this, such as pg_dump.

Example:
  npm run -s parley -- backup --to "parley-$(date +%F).db"`,
    )
    .action(
      actionAt<Options>(async (address, { to, json = false }) => {
        const file = requireFile(sqliteFileOf(address, 'For PostgreSQL use pg_dump.'));
        // Rejects files of other programs before anything is created.
        await pendingMigrationsAt(address);
        const progress = cliIo().stderr.progress(json);
        const copy = resolve(to);
        await backupSqlite(file, copy, (share) =>
          progress.show(`copied ${Math.floor(100 * share)} %`),
        ).finally(progress.end);
        const { size } = statSync(copy);
        const key = existsSync(`${file}.key`) ? ` Its key is not in it: ${file}.key` : '';
        return {
          text: `${copy} holds the database now (${size.toLocaleString('en')} bytes, whole by SQLite’s own check).${key}`,
          json: { from: file, to: copy, bytes: size },
        };
      }),
    );
