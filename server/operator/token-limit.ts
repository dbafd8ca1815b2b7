import { Command } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';
import { setTokenLimit } from '../storage/queries/tokens.ts';
import { action, parseInteger, writeForCompany } from './action.ts';
import { type LimitOptions, limitOf, withLimitOptions } from './limit-option.ts';

interface Options extends LimitOptions {
  company: number;
  token: number;
  json?: true;
}

export const tokenLimit = (): Command =>
  withLimitOptions(new Command('limit').description('Set the rate limit of one token.'))
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--token <id>', 'token ID, as shown by token list', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
It applies to the next request, and replaces the limits of the company and the service. Bursts change in proportion.

Examples:
  npm run -s parley -- token limit --company 1 --token 3 --per-minute 12000
  npm run -s parley -- token limit --company 1 --token 3 --default`,
    )
    .action(
      action<Options>(async ({ store }, { company, token, ...options }) => {
        const limit = limitOf(options);
        if (!(await writeForCompany(store, company, (db) => setTokenLimit(db, company, token, limit))))
          throw new ApiError(
            errorResponse('notFound', { message: `Company ${company} has no token ${token}.` }),
          );
        return {
          text:
            limit === null
              ? `Token ${token} has the limit of its company.`
              : `Token ${token} may send ${limit.toLocaleString('en')} requests per minute in each API process.`,
          json: { id: token, company_id: company, rate_per_minute: limit },
        };
      }),
    );
