import { chmodSync, existsSync, mkdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DatabaseConfig } from '../runtime/config/database-url.ts';
import { openStore } from '../runtime/open-store.ts';
import { releaseLeases } from '../storage/queries/delivery-queue.ts';
import {
  backupSqlite,
  openExclusively,
  privateFolderBeside,
  renameExclusively,
} from '../storage/sqlite/backup.ts';
import { type CarriedOver, carryOver } from '../storage/sqlite/carry-over.ts';
import { isCutOff } from '../storage/sqlite/corruption.ts';
import { describeOpenError, isCorruption } from '../storage/sqlite/errors.ts';
import { assertOwnSchema } from '../storage/sqlite/own-schema.ts';
import { commandAt, type JsonOption } from './command.ts';
import {
  type Applied,
  applyChanges,
  type Changes,
  type CompletionOptions,
  completeRestore,
  formatApplied,
} from './complete-restore.ts';
import { audited, cliIo, requireFile, sqliteFileOf, UsageError } from './context.ts';
import { readErasures } from './erasures.ts';
import { parseInteger, parsePath } from './options.ts';
import type { Output } from './output.ts';

interface Options extends CompletionOptions {
  from?: string;
  replace?: true;
}

/** More IDs than a service assigns between two backups. */
const defaultAdvance = 1_000_000;
const maxAdvance = 1_000_000_000_000;

export const restore = commandAt<Options>({
  name: 'restore',
  about: 'Restore the embedded database from a backup, or complete the restore of a database.',
  options: (made) =>
    made
      .option('--from <file>', 'path of the backup, which is not changed', parsePath)
      .option('--replace', 'replace an existing database, and keep it under another name')
      .option(
        '--erasures <file>',
        'erase again what this list names: output of erasure list --json',
        parsePath,
      )
      .option('--advance-by <count>', 'how many IDs to skip', parseInteger(1, maxAdvance))
      .option('--revoke-tokens', 'revoke all tokens of the backup, of all companies')
      .option('--disable-webhooks', 'disable all webhooks of the backup, of all companies'),
  notes: `
Stop the service first. The schema and the integrity of the backup are checked before anything is replaced: a backup that
contains triggers or other objects that Parley does not create is rejected. A replaced database is kept in the same folder.
A backup does not contain the encryption key, which must exist or be set.

A backup still contains tokens that were revoked later, contacts that were erased later, and webhooks that were disabled,
deleted or given another secret later. With --replace these changes are read from the replaced database and repeated;
deleted webhooks are disabled. Its audit records are kept. If that database is missing or corrupted, use --revoke-tokens,
--disable-webhooks and --erasures.

A restored database would assign IDs and sequence numbers again that it had assigned after the backup. Receivers of webhooks
then drop new events, because they know their webhook-id, and other systems confuse new entities with lost ones. So IDs and
the sequence of every webhook continue further up: above those of the replaced database, or by
${defaultAdvance.toLocaleString('en')} if it cannot be read. Receivers see a gap in meta.sequence, as after lost events.

If another tool has restored the database, such as pg_restore, use --advance-by or --erasures instead of --from, before the
service starts.`,
  examples: [
    'restore --from parley-2026-11-21.db --replace',
    'restore --from parley-2026-11-21.db --revoke-tokens --disable-webhooks',
    `restore --advance-by ${defaultAdvance} --erasures erasures.json`,
  ],
  async run(address, { from, replace, ...options }) {
    if (from !== undefined) return restoreFrom(from, address, { ...options, replace });
    if (replace) throw new UsageError('--replace needs --from.');
    return completeRestore(address, options);
  },
});

/** Restores the embedded database. */
async function restoreFrom(
  from: string,
  address: DatabaseConfig,
  options: CompletionOptions & JsonOption & { replace: true | undefined },
): Promise<Output> {
  const { replace } = options;
  const file = sqliteFileOf(address, 'For PostgreSQL use pg_restore.');
  const source = requireFile(resolve(from));
  await refuseOther(source, file);
  if (existsSync(file) && !replace)
    throw new Error(`${file} exists already. Use --replace, which keeps it under another name.`);
  refuseRemains(file);
  const erasures = options.erasures === undefined ? [] : await readErasures(options.erasures);
  mkdirSync(dirname(file), { recursive: true });
  const { progress } = cliIo();
  const folder = privateFolderBeside(file);
  const draft = join(folder, basename(file));
  const kept = existsSync(file) ? `${file}.before-${stamp()}` : null;
  let done: Applied;
  let carried: CarriedOver | undefined;
  try {
    await backupSqlite(source, draft, (share) => progress.show(`copied ${Math.floor(100 * share)} %`));
    progress.show('revocations and erasures');
    ({ carried, ...done } = await applyCarryOver(draft, { ...options, erasures }, kept ? file : undefined));
    if (kept) {
      chmodSync(draft, statSync(file).mode & 0o777);
      putAside(file, kept, carried?.isIntact ?? false);
    }
    renameExclusively(draft, file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const keyFile = `${file}.key`;
  const missingKeyFile = existsSync(keyFile) ? null : keyFile;
  const warning = carried?.isIntact ? null : revived(kept !== null, carried !== undefined, options);
  return {
    text: [
      `Restored ${source} to ${file}.`,
      ...(kept ? [`The replaced database is kept as ${kept}; delete it when you no longer need it.`] : []),
      ...(missingKeyFile ? [`Put its encryption key at ${missingKeyFile}, or into PARLEY_SECRET_KEY.`] : []),
      `\n${formatApplied(done)}`,
      ...(warning === null ? [] : [`\n${warning}`]),
    ].join(' '),
    json: {
      ...{ from: source, to: file, kept, needs_key: missingKeyFile },
      ...done,
      warning,
    },
  };
}

/** Reapplies changes newer than the backup, and those that the options require. @param replaced the replaced database, if any */
async function applyCarryOver(
  file: string,
  { erasures, ...options }: Changes,
  replaced: string | undefined,
): Promise<Applied & { carried: CarriedOver | undefined }> {
  const store = audited(await openStore({ engine: 'sqlite', file }, { mayCreate: false }));
  try {
    // Before the first write, which records this command.
    const carried = replaced === undefined ? undefined : carryOver(file, replaced, Date.now());
    // The workers of the backup no longer run. Erasures would wait for them.
    await store.write((db) => releaseLeases(db));
    const applied = await applyChanges(store, {
      // The last IDs of a database that is missing or corrupted are not known for certain.
      ...(carried?.isIntact ? {} : { advanceBy: defaultAdvance }),
      ...options,
      erasures: [...(carried?.erasures ?? []), ...erasures],
    });
    return {
      carried,
      ...applied,
      tokens_revoked: applied.tokens_revoked + (carried?.tokensRevoked ?? 0),
      webhooks_disabled: applied.webhooks_disabled + (carried?.webhooksDisabled ?? 0),
    };
  } finally {
    await store.close();
  }
}

/** Returns a warning about tokens, webhooks, contacts and companies that the restore may have brought back. */
const revived = (
  isReplaced: boolean,
  isReadable: boolean,
  { revokeTokens, disableWebhooks }: CompletionOptions,
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
    'Contacts and companies that were erased after the backup are back, unless --erasures names them.',
  ].join(' ');

/** Rejects the database itself, and files that are no Parley backups, before anything is copied. */
async function refuseOther(source: string, file: string): Promise<void> {
  if (existsSync(file) && realpathSync(source) === realpathSync(file))
    throw new Error(`${source} is the database itself, not a backup.`);
  try {
    using database = new DatabaseSync(source, { readOnly: true });
    // The copy is checked again: this file can change meanwhile.
    await assertOwnSchema(database);
    if (isCutOff(database)) throw new Error('its end is missing.');
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
    using database = openExclusively(file);
    if (isIntact) database.exec('COMMIT; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE');
    moveParts(file, kept);
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
