import { existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Command } from 'commander';
import { applyErasures } from '../privacy/apply-erasures.ts';
import { openStore } from '../runtime/open-store.ts';
import { allMigrations } from '../storage/migrations/migrate.ts';
import { applyRevocations, revokeAllTokens } from '../storage/queries/revocations.ts';
import { backupSqlite, openExclusively, renameExclusively } from '../storage/sqlite/backup.ts';
import { type CarryOver, readCarryOver } from '../storage/sqlite/carry-over.ts';
import { isCorruption } from '../storage/sqlite/errors.ts';
import { pendingInSqlite } from '../storage/sqlite/sqlite-store.ts';
import { actionAt, parsePath, requireFile, sqliteFileOf } from './action.ts';
import { cliIo } from './cli-io.ts';

interface Options {
  from: string;
  replace?: true;
  revokeTokens?: true;
  json?: true;
}

export const restore = (): Command =>
  new Command('restore')
    .description('Make the embedded database from a backup.')
    .requiredOption('--from <file>', 'the backup; it stays as it is', parsePath)
    .option('--replace', 'where there is a database already: keep it under another name')
    .option('--revoke-tokens', 'revoke all tokens of the backup, of all companies')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Stop the service first. The backup is checked before anything is replaced, and nothing is lost: a database that was
there is kept beside the new one. The key of the secrets is not in a backup; it must be there, or set.

A backup still holds tokens that were revoked and contacts that were erased after it was made. With --replace they are
read from the database that is replaced, revoked and erased again. If that database is missing or cannot be read, use
--revoke-tokens, and apply the list of erasures: npm run -s parley -- erasure apply --help

Examples:
  npm run -s parley -- restore --from parley-2026-11-21.db --replace
  npm run -s parley -- restore --from parley-2026-11-21.db --revoke-tokens`,
    )
    .action(
      actionAt<Options>(async (address, { from, replace, revokeTokens: revokeAll = false, json = false }) => {
        const file = sqliteFileOf(address, 'For PostgreSQL use pg_restore.');
        const source = requireFile(resolve(from));
        await refuseOther(source, file);
        if (existsSync(file) && !replace)
          throw new Error(
            `There is a database at ${file} already. With --replace it is kept under another name.`,
          );
        refuseRemains(file);
        mkdirSync(dirname(file), { recursive: true });
        const progress = cliIo().stderr.progress(json);
        const made = `${file}.restored-${stamp()}`;
        await backupSqlite(source, made, (share) =>
          progress.show(`copied ${Math.floor(100 * share)} %`),
        ).finally(progress.end);
        const kept = existsSync(file) ? `${file}.before-${stamp()}` : null;
        const carryOver = kept ? readCarryOver(file) : undefined;
        let done: Applied;
        try {
          progress.show('revocations and erasures');
          done = await applyCarryOver(made, revokeAll, carryOver);
          if (kept) putAside(file, kept);
          renameExclusively(made, file);
        } finally {
          progress.end();
          for (const part of ['', '-wal', '-shm']) rmSync(made + part, { force: true });
        }
        const keyFile = `${file}.key`;
        const dependencies = existsSync(keyFile) ? null : keyFile;
        return {
          text: [
            `${file} is what ${source} was.`,
            ...(kept ? [`What was there is ${kept} now, and yours to delete.`] : []),
            ...(dependencies ? [`Its key is to be put at ${dependencies}, or into PARLEY_SECRET_KEY.`] : []),
            `\nTokens revoked: ${done.revoked}. Erased again: ${done.erased}.`,
            ...(carryOver ? [] : [`\n${revived(kept !== null, revokeAll)}`]),
          ].join(' '),
          json: {
            ...{ from: source, to: file, kept, needs_key: dependencies },
            tokens_revoked: done.revoked,
            erased_again: done.erased,
            warning: carryOver ? null : revived(kept !== null, revokeAll),
          },
        };
      }),
    );

interface Applied {
  revoked: number;
  erased: number;
}

/** Repeats revocations and erasures that are newer than the backup. */
async function applyCarryOver(
  file: string,
  revokeAll: boolean,
  { revocations, erasures }: CarryOver = { revocations: [], erasures: [] },
): Promise<Applied> {
  if (!revokeAll && revocations.length + erasures.length === 0) return { revoked: 0, erased: 0 };
  const now = Date.now();
  const store = await openStore({ engine: 'sqlite', file }, { mayCreate: false });
  try {
    const revoked = await store.write(
      async (db) =>
        (await applyRevocations(db, revocations)) + (revokeAll ? await revokeAllTokens(db, now) : 0),
    );
    return { revoked, erased: (await applyErasures(store, erasures, now)).length };
  } finally {
    await store.close();
  }
}

/** Returns the warning about tokens and contacts that the restore revives. */
const revived = (isReplaced: boolean, revokedAll: boolean): string =>
  [
    isReplaced
      ? 'Warning: the earlier database could not be read.'
      : 'Warning: there is no earlier database to compare with.',
    ...(revokedAll
      ? []
      : ['Tokens that were revoked after the backup are valid again: revoke them, or use --revoke-tokens.']),
    'Contacts and companies that were erased after the backup are back: npm run -s parley -- erasure apply --help',
  ].join(' ');

/** @throws Error if a file is not a Parley backup, or is the database itself */
async function refuseOther(source: string, file: string): Promise<void> {
  if (existsSync(file) && realpathSync(source) === realpathSync(file))
    throw new Error(`${source} is the database itself, and no backup of it.`);
  const pending = await pendingInSqlite(source).catch((error: unknown) => {
    throw new Error(`${source} is no backup to restore: ${error instanceof Error ? error.message : error}`);
  });
  if (pending.length === allMigrations.length)
    throw new Error(`${source} is no backup to restore: there is nothing in it.`);
}

/**
 * Renames a database after moving its log into it. Nothing can open it meanwhile.
 * @throws Error if it is in use
 */
function putAside(file: string, kept: string): void {
  try {
    const database = openExclusively(file);
    try {
      database.exec('COMMIT; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
      renameSync(file, kept);
    } finally {
      database.close();
    }
    rmSync(`${file}-shm`, { force: true });
  } catch (error) {
    if (!isCorruption(error)) throw error;
    // The replaced database may be corrupted; rescuing its data needs the log as well.
    for (const part of ['', '-wal', '-shm', '-journal'])
      if (existsSync(file + part)) renameSync(file + part, kept + part);
  }
}

/** @throws Error if a log is left without its database, because SQLite would apply it to the new one */
function refuseRemains(file: string): void {
  if (!existsSync(file) && existsSync(`${file}-wal`))
    throw new Error(`${file}-wal is the log of a database that is not there any more. Move it away first.`);
}

const stamp = (): string => new Date().toISOString().replace(/[-:]|\.\d+/g, '');
