import { Command } from 'commander';
import { timestamp } from '../contract/timestamp.ts';
import { countOfCompany, findCompany } from '../storage/queries/companies.ts';
import { action, requireCompany, wholeNumber } from './action.ts';
import { minute, table } from './output.ts';

export const companyShow = (): Command =>
  new Command('show')
    .description('Show a company, and how much it has of everything.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- company show --company 1')
    .action(
      action<{ company: number; json?: true }>(async ({ store }, { company: id }) => {
        const { company, counts } = await store.read(async (db) => {
          await requireCompany(db, id);
          return { company: await findCompany(db, id), counts: await countOfCompany(db, id) };
        });
        const { name = '', created_at = 0 } = company ?? {};
        const rows = Object.entries(counts).map(([what, count]) => [what.replaceAll('_', ' '), count]);
        return {
          text: table(['company', String(id)], [['name', name], ['made', minute(created_at)], ...rows]),
          json: { id, name, created_at: timestamp(created_at), counts },
        };
      }),
    );
