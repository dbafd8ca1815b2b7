import { Command } from 'commander';
import { setCompanyLimit } from '../storage/queries/companies.ts';
import { action, parseInteger, writeForCompany } from './action.ts';
import { type LimitOptions, limitOf, withLimitOptions } from './limit-option.ts';

interface Options extends LimitOptions {
  company: number;
  json?: true;
}

export const companyLimit = (): Command =>
  withLimitOptions(new Command('limit').description('Set the rate limit of each token of a company.'))
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
It applies to the next request, and replaces PARLEY_RATE_PER_MINUTE for tokens without a limit of their own.

Examples:
  npm run -s parley -- company limit --company 1 --per-minute 6000
  npm run -s parley -- company limit --company 1 --default`,
    )
    .action(
      action<Options>(async ({ store }, { company, ...options }) => {
        const limit = limitOf(options);
        await writeForCompany(store, company, (db) => setCompanyLimit(db, company, limit));
        return {
          text:
            limit === null
              ? `Company ${company} has the limit of the service.`
              : `Each token of company ${company} may send ${limit.toLocaleString('en')} requests per minute in each API process.`,
          json: { id: company, rate_per_minute: limit },
        };
      }),
    );
