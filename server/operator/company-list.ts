import { Command } from 'commander';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { listCompanies } from '../storage/queries/companies.ts';
import { action } from './action.ts';
import { formatMinute, formatTable } from './output.ts';

export const companyList = (): Command =>
  new Command('list')
    .description('List the companies.')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- company list')
    .action(
      action<{ json?: true }>(async ({ store }) => {
        const companies = await store.read(listCompanies);
        return {
          text: formatTable(
            ['id', 'made', 'per minute', 'name'],
            companies.map(({ id, name, created_at, rate_per_minute }) => [
              id,
              formatMinute(created_at),
              rate_per_minute,
              name,
            ]),
          ),
          json: companies.map(({ id, name, created_at, rate_per_minute }) => ({
            id,
            name,
            created_at: formatTimestamp(created_at),
            rate_per_minute,
          })),
        };
      }),
    );
