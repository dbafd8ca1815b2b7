import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Command } from 'commander';
import { applyErasures } from '../privacy/apply-erasures.ts';
import { openStore } from '../runtime/open-store.ts';
import { advanceIds } from '../storage/queries/advance-ids.ts';
import { releaseAllLeases } from '../storage/queries/delivery-queue.ts';
import type { ErasureRow } from '../storage/queries/erasures.ts';
import { revokeAllTokens } from '../storage/queries/tokens.ts';
import { disableAllWebhooks, restoreWebhookState } from '../storage/queries/webhooks.ts';
import {
  backupSqlite,
  openExclusively,
  privateFolderBeside,
  renameExclusively,
} from '../storage/sqlite/backup.ts';
import { type CarryOver, continueIds, readCarryOver } from '../storage/sqlite/carry-over.ts';
import { copyAuditRecords } from '../storage/sqlite/copy-audit-records.ts';
import { isTruncated } from '../storage/sqlite/corruption.ts';
import { describeOpenError, isCorruption } from '../storage/sqlite/errors.ts';
import { assertOwnSchema } from '../storage/sqlite/own-schema.ts';
import { actionAt, audited, requireFile, sqliteFileOf } from './action.ts';
import { cliIo } from './cli-io.ts';
import { defaultAdvance } from './database.ts';
import { parsePath } from './options.ts';

interface Options {
  from: string;
  replace?: true;
  revokeTokens?: true;
  disableWebhooks?: true;
}

export const restore = (): Command =>
  new Command('restore')
    .description('Restore the embedded database from a backup.')
    .requiredOption('--from <file>', 'path of the backup, which is not changed', parsePath)
    .option('--replace', 'replace an existing database, and keep it under another name')
    .option('--revoke-tokens', 'revoke all tokens of the backup, of all companies')
    .option('--disable-webhooks', 'disable all webhooks of the backup, of all companies')
    .addHelpText(
      'after',
      `
Stop the service first. The schema and the integrity of the backup are checked before anything is replaced: a backup that
contains triggers or other objects that Parley does not create is rejected. A replaced database is kept in the same folder.
A backup does not contain the encryption key, which must exist or be set.

A backup still contains tokens that were revoked later, contacts that were erased later, and webhooks that were disabled,
deleted or given another secret later. With --replace these changes are read from the replaced database and repeated;
deleted webhooks are disabled. Its audit records are kept. If that database is missing or corrupted, use --revoke-tokens
and --disable-webhooks, and apply the list of erasures: npm run -s parley -- erasure apply --help

Examples:
  npm run -s parley -- restore --from parley-2026-11-21.db --replace
  npm run -s parley -- restore --from parley-2026-11-21.db --revoke-tokens --disable-webhooks`,
    )
    .action(
      actionAt<Options>(async (address, options) => {
        const { from, replace, json = false } = options;
        const file = sqliteFileOf(address, 'For PostgreSQL use pg_restore.');
        const source = requireFile(resolve(from));
        await refuseOther(source, file);
        if (existsSync(file) && !replace)
          throw new Error(`${file} exists already. Use --replace, which keeps it under another name.`);
        refuseRemains(file);
        mkdirSync(dirname(file), { recursive: true });
        const progress = cliIo().stderr.progress(json);
        const folder = privateFolderBeside(file);
        const draft = join(folder, basename(file));
        await backupSqlite(source, draft, (share) => progress.show(`copied ${Math.floor(100 * share)} %`))
          .catch((error: unknown) => {
            rmSync(folder, { recursive: true, force: true });
            throw error;
          })
          .finally(progress.end);
        const kept = existsSync(file) ? `${file}.before-${stamp()}` : null;
        const carryOver = kept ? readCarryOver(file) : undefined;
        let done: Applied;
        try {
          progress.show('revocations and erasures');
          done = await applyCarryOver(draft, options, carryOver, file);
          if (kept) {
            chmodSync(draft, statSync(file).mode & 0o777);
            putAside(file, kept, carryOver?.isIntact ?? false);
          }
          renameExclusively(draft, file);
        } finally {
          progress.end();
          rmSync(folder, { recursive: true, force: true });
        }
        const keyFile = `${file}.key`;
        const missingKeyFile = existsSync(keyFile) ? null : keyFile;
        const warning = carryOver?.isIntact ? null : revived(kept !== null, carryOver !== undefined, options);
        return {
          text: [
            `Restored ${source} to ${file}.`,
            ...(kept
              ? [`The replaced database is kept as ${kept}; delete it when you no longer need it.`]
              : []),
            ...(missingKeyFile
              ? [`Put its encryption key at ${missingKeyFile}, or into PARLEY_SECRET_KEY.`]
              : []),
            `\nTokens revoked: ${done.tokens}. Webhooks disabled: ${done.webhooks}. Erased again: ${done.erased}.`,
            ...(warning === null ? [] : [`\n${warning}`]),
          ].join(' '),
          json: {
            ...{ from: source, to: file, kept, needs_key: missingKeyFile },
            tokens_revoked: done.tokens,
            webhooks_disabled: done.webhooks,
            erased_again: done.erased,
            warning,
          },
        };
      }),
    );

interface Applied {
  tokens: number;
  webhooks: number;
  erased: number;
}

/** Reapplies changes newer than the backup, and revokes tokens and disables webhooks as the options require. */
async function applyCarryOver(
  file: string,
  { revokeTokens, disableWebhooks }: Options,
  carryOver: CarryOver | undefined,
  replaced: string,
): Promise<Applied> {
  const { erasures, webhooks, lastIds } = carryOver ?? { erasures: [], webhooks: [], lastIds: [] };
  const now = Date.now();
  const store = audited(await openStore({ engine: 'sqlite', file }, { mayCreate: false }));
  try {
    // Before the first write, which records this command.
    if (carryOver?.isIntact) copyAuditRecords(file, replaced);
    await store.write(async (db) => {
      // The workers of the backup no longer run. Erasures would wait for them.
      await releaseAllLeases(db);
      for (const row of webhooks) await restoreWebhookState(db, row);
      await continueIds(db, lastIds);
      // The last IDs of a database that is missing or corrupted are not known for certain.
      if (!carryOver?.isIntact) await advanceIds(db, defaultAdvance);
    });
    const applied = Map.groupBy(await applyErasures(store, erasures, now), ({ kind }) => kind);
    const count = (...kinds: ErasureRow['kind'][]) =>
      kinds.reduce((sum, kind) => sum + (applied.get(kind)?.length ?? 0), 0);
    return await store.write(async (db) => ({
      tokens: count('token') + (revokeTokens ? await revokeAllTokens(db, now) : 0),
      webhooks: count('webhook') + (disableWebhooks ? await disableAllWebhooks(db, now) : 0),
      erased: count('contact', 'company'),
    }));
  } finally {
    await store.close();
  }
}

/** Returns a warning about tokens, webhooks, contacts and companies that the restore may have brought back. */
const revived = (
  isReplaced: boolean,
  isReadable: boolean,
  { revokeTokens, disableWebhooks }: Options,
): string =>
  [
    isReadable
      ? 'Warning: the earlier database is corrupted, so later revocations and erasures may be missing.'
      : isReplaced
        ? 'Warning: the earlier database could not be read.'
        : 'Warning: there is no earlier database to read revocations and erasures from.',
    ...(revokeTokens
      ? []
      : ['Tokens that were revoked after the backup are valid again: revoke them, or use --revoke-tokens.']),
    ...(disableWebhooks
      ? []
      : [
          'Webhooks that were disabled or deleted after the backup are enabled again: disable them, or use --disable-webhooks.',
        ]),
    'Contacts and companies that were erased after the backup are back: npm run -s parley -- erasure apply --help',
  ].join(' ');

/** Rejects the database itself, and files that are no Parley backups, before anything is copied. */
async function refuseOther(source: string, file: string): Promise<void> {
  if (existsSync(file) && realpathSync(source) === realpathSync(file))
    throw new Error(`${source} is the database itself, not a backup.`);
  try {
    if (await isTruncated(source)) throw new Error('its end is missing.');
    const database = new DatabaseSync(source, { readOnly: true });
    try {
      // The copy is checked again: this file can change meanwhile.
      await assertOwnSchema(database);
    } finally {
      database.close();
    }
  } catch (error) {
    throw new Error(`${source} is not a usable backup: ${describeOpenError(error)}`, { cause: error });
  }
}

/**
 * Renames a database while no other process can open it. The write-ahead log is merged into an intact database first. A
 * corrupted database keeps its log as a separate file, because rescuing the data needs both files unchanged.
 * @throws Error if the database is in use
 */
function putAside(file: string, kept: string, isIntact: boolean): void {
  try {
    const database = openExclusively(file);
    try {
      if (isIntact) database.exec('COMMIT; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
      moveParts(file, kept);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!isCorruption(error)) throw error;
    moveParts(file, kept);
  }
}

function moveParts(file: string, kept: string): void {
  for (const part of ['', '-wal', '-shm', '-journal'])
    if (existsSync(file + part)) renameExclusively(file + part, kept + part);
}

/** @throws Error if a write-ahead log exists without its database: SQLite would apply it to the restored database */
function refuseRemains(file: string): void {
  if (!existsSync(file) && existsSync(`${file}-wal`))
    throw new Error(`${file}-wal is the log of a missing database. Move it away first.`);
}

const stamp = (): string => new Date().toISOString().replace(/[-:.]/g, '');
