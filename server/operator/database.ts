import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { openConfiguredSecrets } from '../runtime/bootstrap.ts';
import { readConfig } from '../runtime/config/config.ts';
import { redactUrl } from '../runtime/config/database-url.ts';
import { openStore, pendingMigrationsAt } from '../runtime/open-store.ts';
import { reencryptAll } from '../security/secrets/rotate-key.ts';
import { migrationStatements } from '../storage/migrations/migrate.ts';
import { backupSqlite } from '../storage/sqlite/backup.ts';
import { command, commandAt } from './command.ts';
import { cliIo, recordCommand, requireFile, sqliteFileOf } from './context.ts';
import { parsePath } from './options.ts';

export const migrateDatabase = commandAt<{ dryRun?: true }>({
  name: 'migrate',
  about: 'Migrate a database to the schema of this version.',
  options: (migrate) => migrate.option('--dry-run', 'change nothing; print the migrations as SQL'),
  notes: `
The service and every command do this when they start. All migrations run, or none. If several processes start
together, one migrates and the others wait. The SQL is for review only: the program runs the migrations itself
and records them.`,
  examples: [
    'migrate --dry-run',
    'DATABASE_URL=postgres://parley@db.example.com/parley npm run -s parley -- migrate',
  ],
  async run(address, { dryRun }) {
    const pending = await pendingMigrationsAt(address);
    const at = redactUrl(address);
    if (dryRun) {
      const steps = await Promise.all(
        pending.map(async (name) => ({
          name,
          statements: await migrationStatements(name, address.engine),
        })),
      );
      const text = steps.map(({ name, statements }) =>
        [`-- ${name}`, ...statements.map((each) => `${each};`)].join('\n'),
      );
      return {
        text: text.length > 0 ? [toBeRead, ...text].join('\n\n') : upToDate(at),
        json: { database: at, pending: steps },
      };
    }
    const store = await openStore(address, { mayCreate: true, poolSize: 1 });
    if (pending.length > 0) await recordCommand(store);
    await store.close();
    return {
      text: pending.length === 0 ? upToDate(at) : `Migrated ${at}: ${pending.join(', ')}.`,
      json: { database: at, taken: pending },
    };
  },
});

const toBeRead = '-- Pending migrations. Run them without --dry-run, which also records them.';

const upToDate = (at: string): string => `${at} is up to date.`;

export const backup = commandAt<{ to: string }>({
  name: 'backup',
  about: 'Back up the embedded database; the service may be running.',
  options: (made) => made.requiredOption('--to <file>', 'path of the backup; must not exist', parsePath),
  notes: `
The backup has the state at the start of the command. Its integrity is checked before it gets its name. It does not
contain the encryption key (the database's path and ".key"). Back that up separately: without it the webhook secrets are
lost. For PostgreSQL use pg_dump.`,
  examples: ['backup --to "parley-$(date +%F).db"'],
  async run(address, { to }) {
    const file = requireFile(sqliteFileOf(address, 'For PostgreSQL use pg_dump.'));
    // Rejects another application's file before anything is created.
    await pendingMigrationsAt(address);
    const { progress } = cliIo();
    const copy = resolve(to);
    await backupSqlite(file, copy, (share) => progress.show(`copied ${Math.floor(100 * share)} %`));
    const { size } = statSync(copy);
    const key = existsSync(`${file}.key`) ? ` It does not contain the encryption key: ${file}.key` : '';
    return {
      text: `Created the backup ${copy} (${size.toLocaleString('en')} bytes, intact).${key}`,
      json: { from: file, to: copy, bytes: size },
    };
  },
});

export const secretsRotate = command<object>({
  name: 'secrets rotate',
  about: 'Re-encrypt webhook secrets with the first configured key.',
  notes: `
Rotate the key while the service runs, on one machine or several:
  1. Create a new key:  openssl rand -base64 32
  2. Set both keys in every process, the old one first: PARLEY_SECRET_KEY=OLD,NEW (or two lines in the key file). Restart.
  3. Set the new key first: PARLEY_SECRET_KEY=NEW,OLD. Restart. New secrets are encrypted with it from now on.
  4. Run this command with the same setting.
  5. Remove the old key: PARLEY_SECRET_KEY=NEW. Restart. Older backups still need the old key.`,
  examples: ['secrets rotate'],
  async run({ store }) {
    const secrets = await openConfiguredSecrets(readConfig(cliIo().env), store);
    const { secrets: all, resealed } = await reencryptAll(store, secrets);
    // Removes deleted data from the database files, because it contains secrets that the previous key can decrypt.
    if (resealed > 0) await store.purgeDeleted();
    return {
      text: `${resealed} of ${all} secrets re-encrypted with the first key. Other keys can be removed now.`,
      json: { secrets: all, resealed },
    };
  },
});
