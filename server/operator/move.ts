import { Command } from 'commander';
import { type DatabaseAddress, databaseAddressFrom, shownAddress } from '../database-address.ts';
import { openStore } from '../open-store.ts';
import { holdsCompanies } from '../storage/companies.ts';
import { holdDatabase } from '../storage/locks.ts';
import { type Moved, moveRows } from '../storage/move.ts';
import { openAlone } from '../storage/sqlite-copy.ts';
import { table } from './output.ts';
import { createProgress } from './progress.ts';
import { actionAt, fileOf, Misuse, requireFile } from './run.ts';
import { surroundings } from './surroundings.ts';

interface Options {
  to: string;
  json?: true;
}

export const move = (): Command =>
  new Command('move')
    .description('Move an embedded database to PostgreSQL.')
    .requiredOption('--to <url>', 'an empty database: postgres://USER:PASSWORD@HOST:PORT/DATABASE')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Stop the service first. Everything is moved, ids and tokens included, or nothing: rows are counted and compared on
both sides before they are kept. The embedded database stays as it is. Then start the service with the other
DATABASE_URL and the same key (PARLEY_SECRET_KEY, or PARLEY_SECRET_KEY_FILE).

Example:
  npm run -s parley -- move --to postgres://parley:secret@db.example.com/parley`,
    )
    .action(
      actionAt<Options>(async (address, { to, json = false }) => {
        const file = requireFile(fileOf(address, 'What is in PostgreSQL already need not be moved.'));
        const target = databaseAddressFrom(to);
        if (target?.engine !== 'postgres')
          throw new Misuse('--to must be postgres://USER:PASSWORD@HOST:PORT/DATABASE.');
        // An old schema is brought up to date first.
        await (await openStore(address, { mayCreate: false })).close();
        const startedAt = performance.now();
        const moved = await moveAll(file, target, json);
        const seconds = (performance.now() - startedAt) / 1_000;
        return {
          text: textOf(moved, shownAddress(target), file, seconds),
          json: { from: file, to: shownAddress(target), tables: moved },
        };
      }),
    );

// Rows are read here while a transaction is open there; neither may end for it.
const patience = { lockWaitMs: 60_000, poolSize: 1, mayCreate: true, namedBy: '--to' };

async function moveAll(file: string, target: DatabaseAddress, quiet: boolean): Promise<Moved[]> {
  const progress = createProgress(surroundings().stderr, quiet);
  const from = openAlone(file);
  try {
    const store = await openStore(target, patience);
    try {
      return await store.write(async (db) => {
        await holdDatabase(db);
        if (await holdsCompanies(db))
          throw new Error(`${shownAddress(target)} holds companies already. Moving needs an empty database.`);
        return moveRows(from, db, (rows, name) =>
          progress.show(`${rows.toLocaleString('en')} rows (${name})`),
        );
      });
    } finally {
      await store.close();
    }
  } finally {
    from.close();
    progress.end();
  }
}

function textOf(moved: readonly Moved[], to: string, file: string, seconds: number): string {
  const rows = moved.map(({ table: name, rows: count, digest }) => [
    name,
    count.toLocaleString('en'),
    digest.slice(0, 16),
  ]);
  return [
    table(['table', 'rows', 'digest, the same on both sides'], rows),
    '',
    `Moved to ${to} in ${seconds.toFixed(1)} s. ${file} is as it was.`,
    `Now start the service with DATABASE_URL=${to} (and its password), and with the key in ${file}.key:`,
    '  PARLEY_SECRET_KEY_FILE, or its content in PARLEY_SECRET_KEY.',
  ].join('\n');
}
