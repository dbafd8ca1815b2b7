import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { pendingInSqlite } from '../storage/sqlite.ts';
import { copySqlite, openAlone } from '../storage/sqlite-copy.ts';
import { createProgress } from './progress.ts';
import { actionAt, fileOf, requireFile } from './run.ts';
import { surroundings } from './surroundings.ts';

interface Options {
  from: string;
  replace?: true;
  json?: true;
}

export const restore = (): Command =>
  new Command('restore')
    .description('Make the embedded database from a backup.')
    .requiredOption('--from <file>', 'the backup; it stays as it is')
    .option('--replace', 'where there is a database already: keep it under another name')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Stop the service first. The backup is checked before anything is replaced, and nothing is lost: a database that was
there is kept beside the new one. The key of the secrets is not in a backup; it must be there, or set.

Example:
  npm run -s parley -- restore --from parley-2026-11-21.db --replace`,
    )
    .action(
      actionAt<Options>(async (address, { from, replace, json = false }) => {
        const file = fileOf(address, 'For PostgreSQL use pg_restore.');
        const source = requireFile(resolve(from));
        await pendingInSqlite(source).catch((error: unknown) => {
          throw new Error(
            `${source} is no backup to restore: ${error instanceof Error ? error.message : error}`,
          );
        });
        const replaces = existsSync(file);
        if (replaces && !replace)
          throw new Error(
            `There is a database at ${file} already. With --replace it is kept under another name.`,
          );
        if (replaces) foldLog(file);
        else refuseRemains(file);
        mkdirSync(dirname(file), { recursive: true });
        const progress = createProgress(surroundings().stderr, json);
        const made = `${file}.restored-${stamp()}`;
        await copySqlite(source, made, (share) =>
          progress.show(`copied ${Math.floor(100 * share)} %`),
        ).finally(progress.end);
        const kept = replaces ? `${file}.before-${stamp()}` : undefined;
        if (kept) renameSync(file, kept);
        renameSync(made, file);
        const key = existsSync(`${file}.key`)
          ? ''
          : ` Its key is to be put at ${file}.key, or into PARLEY_SECRET_KEY.`;
        return {
          text: `${file} is what ${source} was.${kept ? ` What was there is ${kept} now.` : ''}${key}`,
          json: { from: source, to: file, kept: kept ?? null },
        };
      }),
    );

/** Moves what the log holds into the file, which then can be moved alone. @throws Error where somebody uses it */
function foldLog(file: string): void {
  const database = openAlone(file);
  database.exec('COMMIT; PRAGMA journal_mode = DELETE');
  database.close();
  rmSync(`${file}-shm`, { force: true });
}

/** A log without its database would be taken for the new one's. */
function refuseRemains(file: string): void {
  if (existsSync(`${file}-wal`))
    throw new Error(`${file}-wal is the log of a database that is not there any more. Move it away first.`);
}

const stamp = (): string => new Date().toISOString().replace(/[-:]|\.\d+/g, '');
