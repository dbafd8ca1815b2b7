import { existsSync } from 'node:fs';
import {
  type DatabaseConfig,
  databaseUrlFormats,
  parseDatabaseUrl,
  redactUrl,
} from '../runtime/config/database-url.ts';
import { openStore, pendingMigrationsAt } from '../runtime/open-store.ts';
import { type CopiedTable, copyRows } from '../storage/copy-to-postgres.ts';
import { lockDatabase } from '../storage/locks.ts';
import { hasCompanies } from '../storage/queries/companies.ts';
import { openExclusively } from '../storage/sqlite/backup.ts';
import { assertIntact } from '../storage/sqlite/corruption.ts';
import { describeOpenError } from '../storage/sqlite/errors.ts';
import { assertOwnSchema } from '../storage/sqlite/own-schema.ts';
import { commandAt } from './command.ts';
import { cliIo, recordCommand, requireFile, sqliteFileOf, UsageError } from './context.ts';
import { formatTable } from './output.ts';

export const move = commandAt<{ to: string }>({
  name: 'move',
  about: 'Move an embedded database to PostgreSQL.',
  options: (made) =>
    made.requiredOption('--to <url>', 'empty database: postgres://USER:PASSWORD@HOST:PORT/DATABASE'),
  notes: `
Stop the service first. All data is copied, including IDs and tokens, or none: each row is compared before the commit.
The embedded database keeps its data. Then start the service with the new DATABASE_URL and the same key
(PARLEY_SECRET_KEY). Other users of the machine can see command lines: to hide the password, set PGPASSWORD instead.`,
  examples: ['move --to postgres://parley:secret@db.example.com/parley'],
  async run(address, { to }) {
    const file = requireFile(sqliteFileOf(address, 'The database is in PostgreSQL already.'));
    const target = parseDatabaseUrl(to);
    if (target?.engine !== 'postgres')
      throw new UsageError(`--to is not a PostgreSQL URL. It must be ${databaseUrlFormats}.`);
    // An old schema is migrated first.
    if ((await pendingMigrationsAt(address)).length > 0)
      await (await openStore(address, { mayCreate: false })).close();
    const startedAt = performance.now();
    const moved = await moveAll(file, target);
    const seconds = (performance.now() - startedAt) / 1_000;
    return {
      text: textOf(moved, redactUrl(target), file, seconds),
      json: { from: file, to: redactUrl(target), tables: moved },
    };
  },
});

// Timeouts are long, because each database is idle while the other one is read or written.
const patience = {
  lockWaitMs: 60_000,
  statementMs: 3_600_000,
  poolSize: 1,
  mayCreate: true,
  namedBy: '--to',
};

async function moveAll(file: string, target: DatabaseConfig): Promise<CopiedTable[]> {
  const { progress } = cliIo();
  using from = openExclusively(file);
  progress.show('checking the schema and the integrity of the file');
  await assertOwnSchema(from).catch((error: unknown) => {
    throw new Error(`${file} cannot be moved: ${describeOpenError(error)}`, { cause: error });
  });
  assertIntact(from, file);
  const store = await openStore(target, patience);
  try {
    const copied = await store.write(async (db) => {
      await lockDatabase(db);
      if (await hasCompanies(db))
        throw new Error(`${redactUrl(target)} contains companies already. Create an empty database.`);
      return copyRows(from, db, (rows, all, name) => progress.show(progressOf(rows, all, name)));
    });
    await recordCommand(store);
    return copied;
  } finally {
    await store.close();
  }
}

const counted = (rows: number): string => rows.toLocaleString('en');

const progressOf = (rows: number, all: number, name: string): string =>
  `${counted(rows)} of ${counted(all)} rows, ${Math.floor((100 * rows) / Math.max(1, all))} % (${name})`;

function textOf(moved: readonly CopiedTable[], to: string, file: string, seconds: number): string {
  const rows = moved.map(({ table: name, rows: count }) => [name, counted(count)]);
  const key = existsSync(`${file}.key`) ? ` PARLEY_SECRET_KEY="$(cat '${file}.key')"` : '';
  return [
    formatTable(['table', 'rows'], rows),
    '',
    `Moved to ${to} in ${seconds.toFixed(1)} s. ${file} keeps its data. Now start the service (with the password):`,
    '',
    `  DATABASE_URL='${to}'${key} npm start`,
  ].join('\n');
}
