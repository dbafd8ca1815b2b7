import { Command } from 'commander';
import { formatTimestamp, formatTimestampOrNull } from '../own-contract/timestamp.ts';
import { listTokens, type TokenRow } from '../storage/queries/tokens.ts';
import { action, parseInteger, readOfCompanies } from './action.ts';
import { formatMinute, formatTable } from './output.ts';

export const tokenList = (): Command =>
  new Command('list')
    .description('List tokens; the tokens themselves are not stored.')
    .option('--company <id>', 'only those of this company', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- token list --company 1')
    .action(
      action<{ company?: number; json?: true }>(async ({ store, now }, { company }) => {
        const tokens = await readOfCompanies(store, company, listTokens);
        const headings = [
          'company',
          'id',
          'user',
          'state',
          'until',
          'last used',
          'per minute',
          'name',
          'scopes',
        ];
        const rows = tokens.map((token) => [
          token.company_id,
          token.id,
          token.user_id,
          stateOf(token, now()),
          formatMinute(token.expires_at),
          formatMinute(token.last_used_at),
          token.rate_per_minute,
          token.name || null,
          token.scopes,
        ]);
        return { text: formatTable(headings, rows), json: tokens.map((token) => shown(token, now())) };
      }),
    );

const stateOf = (token: TokenRow, now: number): 'holds' | 'revoked' | 'expired' => {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at <= now ? 'expired' : 'holds';
};

const shown = (token: TokenRow, now: number) => ({
  id: token.id,
  company_id: token.company_id,
  user_id: token.user_id,
  name: token.name,
  scopes: token.scopes.split(' '),
  state: stateOf(token, now),
  created_at: formatTimestamp(token.created_at),
  expires_at: formatTimestamp(token.expires_at),
  revoked_at: formatTimestampOrNull(token.revoked_at),
  last_used_at: formatTimestampOrNull(token.last_used_at),
  rate_per_minute: token.rate_per_minute,
});
