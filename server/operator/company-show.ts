import { Command } from 'commander';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { countCompanyData, findCompany } from '../storage/queries/companies.ts';
import { action, parseInteger, requireCompany } from './action.ts';
import { formatMinute, formatTable } from './output.ts';

export const companyShow = (): Command =>
  new Command('show')
    .description('Show a company and the number of its objects.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- company show --company 1')
    .action(
      action<{ company: number; json?: true }>(async ({ store }, { company: id }) => {
        const { company, counts } = await store.read(async (db) => {
          await requireCompany(db, id);
          return { company: await findCompany(db, id), counts: await countCompanyData(db, id) };
        });
        const { name = '', created_at = 0 } = company ?? {};
        const rows = Object.entries(counts).map(([what, count]) => [what.replaceAll('_', ' '), count]);
        return {
          text: formatTable(
            ['company', String(id)],
            [['name', name], ['made', formatMinute(created_at)], ...rows],
          ),
          json: { id, name, created_at: formatTimestamp(created_at), counts },
        };
      }),
    );
