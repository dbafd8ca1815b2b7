import { Command } from 'commander';
import { redactUrl } from '../config/database-url.ts';
import { openStore, pendingMigrationsAt } from '../runtime/open-store.ts';
import { migrationStatements } from '../storage/migrations/migrate.ts';
import { actionAt } from './action.ts';

interface Options {
  dryRun?: true;
  json?: true;
}

export const migrateDatabase = (): Command =>
  new Command('migrate')
    .description('Bring a database to the schema of this version.')
    .option('--dry-run', 'change nothing; show what would be done, as SQL')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
The service does this itself when it starts, and so does every command. All steps are taken, or none; of several
programs that begin at once, one takes them, and the others wait for it. The SQL is to be read: the program takes
the steps itself, and notes which it has taken.

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
        await (await openStore(address, { mayCreate: true, poolSize: 1 })).close();
        return {
          text:
            pending.length === 0 ? upToDate(at) : `${at} has been brought up to date: ${pending.join(', ')}.`,
          json: { database: at, taken: pending },
        };
      }),
    );

const toBeRead =
  '-- What would be done. To do it, leave --dry-run out: the steps that were taken are noted, too.';

const upToDate = (at: string): string => `${at} is up to date.`;
