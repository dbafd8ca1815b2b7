import { Command, InvalidArgumentError, Option } from 'commander';
import { issueToken, tokenDays } from '../auth/issue-token.ts';
import { scopes as allScopes } from '../own-contract/scopes.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { action, parseInteger, parseName, writeForCompany } from './action.ts';
import { formatMinute } from './output.ts';

interface Options {
  company: number;
  user: number;
  name: string;
  scopes: readonly string[];
  days: number;
  json?: true;
}

export const tokenCreate = (): Command =>
  new Command('create')
    .description('Create a token. It is shown once and not stored.')
    .requiredOption('--company <id>', 'company of the token', parseInteger(1))
    .requiredOption('--user <number>', 'ID of the user of the token', parseInteger(1))
    .addOption(new Option('--name <name>', 'purpose of the token').argParser(parseName).default('', 'none'))
    .addOption(
      new Option('--scopes <scopes>', `separated by commas: ${allScopes.join(', ')}`)
        .argParser(scopesFrom)
        .default(allScopes, 'all of them'),
    )
    .option('--days <days>', 'validity in days', parseInteger(1, tokenDays.most), tokenDays.defaultValue)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- token create --company 1 --user 17\n' +
        '  npm run -s parley -- token create --company 1 --user 17 --scopes contacts:read --days 30 --name reports',
    )
    .action(
      action<Options>(async ({ store, now }, { company: companyId, user: userId, name, scopes, days }) => {
        const { id, token, expiresAt } = await writeForCompany(store, companyId, (db) =>
          issueToken(db, { companyId, userId, name, scopes, days }, now()),
        );
        return {
          text: `Token ${id} created. It is valid until ${formatMinute(expiresAt)} UTC and not shown again:\n\n  ${token}\n`,
          json: {
            id,
            token,
            company_id: companyId,
            user_id: userId,
            scopes,
            expires_at: formatTimestamp(expiresAt),
          },
        };
      }),
    );

function scopesFrom(text: string): string[] {
  const wanted = text.split(',').map((scope) => scope.trim());
  if (wanted.includes('')) throw new InvalidArgumentError(`Scopes: ${allScopes.join(', ')}.`);
  const unknown = wanted.filter((scope) => !allScopes.includes(scope));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown scope: ${unknown.join(', ')}. Scopes: ${allScopes.join(', ')}.`);
  return wanted;
}
