import { Command } from 'commander';
import { redactUrl } from '../config/database-url.ts';
import { openStore, pendingMigrationsAt } from '../runtime/open-store.ts';
import { migrationStatements } from '../storage/migrations/migrate.ts';
import { actionAt, recordCommand } from './action.ts';

interface Options {
  dryRun?: true;
  json?: true;
}

export const migrateDatabase = (): Command =>
  new Command('migrate')
    .description('Migrate a database to the schema of this version.')
    .option('--dry-run', 'change nothing; print the migrations as SQL')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The service and every command do this when they start. All migrations run, or none. If several processes start
together, one migrates and the others wait. The SQL is for review only: the program runs the migrations itself
and records them.

Examples:
  npm run -s parley -- migrate --dry-run
  DATABASE_URL=postgres://parley@db.example.com/parley npm run -s parley -- migrate`,
    )
    .action(
      actionAt<Options>(async (address, { dryRun }) => {
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
      }),
    );

const toBeRead = '-- Pending migrations. Run them without --dry-run, which also records them.';

const upToDate = (at: string): string => `${at} is up to date.`;
