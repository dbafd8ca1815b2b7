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
    .description('Back up the embedded database; the service may be running.')
    .requiredOption('--to <file>', 'path of the backup; must not exist', parsePath)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The backup has the state at the start of the command. Its integrity is checked before it gets its name. It does not
contain the encryption key (the database's path and ".key"). Back that up separately: without it the webhook secrets are
lost. For PostgreSQL use pg_dump.

Example:
  npm run -s parley -- backup --to "parley-$(date +%F).db"`,
    )
    .action(
      actionAt<Options>(async (address, { to, json = false }) => {
        const file = requireFile(sqliteFileOf(address, 'For PostgreSQL use pg_dump.'));
        // Rejects another application's file before anything is created.
        await pendingMigrationsAt(address);
        const progress = cliIo().stderr.progress(json);
        const copy = resolve(to);
        await backupSqlite(file, copy, (share) =>
          progress.show(`copied ${Math.floor(100 * share)} %`),
        ).finally(progress.end);
        const { size } = statSync(copy);
        const key = existsSync(`${file}.key`) ? ` It does not contain the encryption key: ${file}.key` : '';
        return {
          text: `Created the backup ${copy} (${size.toLocaleString('en')} bytes, intact).${key}`,
          json: { from: file, to: copy, bytes: size },
        };
      }),
    );
