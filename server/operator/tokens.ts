import { Command, InvalidArgumentError, Option } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';
import { disableWebhookForOperator, isDisabledByOperator } from '../features/webhooks/enable-disable.ts';
import { presentRow } from '../own-contract/present-row.ts';
import { scopes as allScopes } from '../own-contract/scopes.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { issueToken, tokenDays } from '../security/auth/issue-token.ts';
import { updateRow } from '../storage/queries/rows.ts';
import { findToken, listTokens, revokeToken, type TokenRow } from '../storage/queries/tokens.ts';
import { findWebhookForUpdate, listWebhooksOfToken, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Database } from '../storage/store.ts';
import { action, readOfCompanies, writeForCompany } from './action.ts';
import {
  companyCommand,
  example,
  type LimitOptions,
  limitOf,
  parseInteger,
  parseName,
  withLimitOptions,
} from './options.ts';
import { formatMinute, listOf } from './output.ts';
import { formatWebhook } from './webhooks.ts';

interface TokenCreateOptions {
  company: number;
  user: number;
  name: string;
  scopes: readonly string[];
  days: number;
}

export const tokenCreate = (): Command =>
  companyCommand('create', 'Create a token. It is shown once and not stored.')
    .requiredOption('--user <number>', 'ID of the user of the token', parseInteger(1))
    .addOption(new Option('--name <name>', 'purpose of the token').argParser(parseName).default('', 'none'))
    .addOption(
      new Option('--scopes <scopes>', `separated by commas: ${allScopes.join(', ')}`)
        .argParser(scopesFrom)
        .default(allScopes, 'all of them'),
    )
    .option('--days <days>', 'validity in days', parseInteger(1, tokenDays.most), tokenDays.defaultValue)
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- token create --company 1 --user 17\n' +
        '  npm run -s parley -- token create --company 1 --user 17 --scopes contacts:read --days 30 --name reports',
    )
    .action(
      action<TokenCreateOptions>(
        async ({ store, now }, { company: companyId, user: userId, name, scopes, days }) => {
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
        },
      ),
    );

function scopesFrom(text: string): string[] {
  const wanted = text.split(',').map((scope) => scope.trim());
  if (wanted.includes('')) throw new InvalidArgumentError(`Scopes: ${allScopes.join(', ')}.`);
  const unknown = wanted.filter((scope) => !allScopes.includes(scope));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown scope: ${unknown.join(', ')}. Scopes: ${allScopes.join(', ')}.`);
  return wanted;
}

export const tokenList = (): Command =>
  new Command('list')
    .description('List tokens; the tokens themselves are not stored.')
    .option('--company <id>', 'only those of this company', parseInteger(1))
    .addHelpText('after', example('token list --company 1'))
    .action(
      action<{ company?: number }>(async ({ store, now }, { company }) => {
        const tokens = await readOfCompanies(store, company, listTokens);
        return listOf(
          tokens.map((token) => formatToken(token, now())),
          'company_id id user_id state expires_at last_used_at rate_per_minute name scopes',
        );
      }),
    );

const stateOf = (token: TokenRow, now: number): 'holds' | 'revoked' | 'expired' => {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at <= now ? 'expired' : 'holds';
};

const formatToken = (token: TokenRow, now: number) => ({
  ...presentRow(token),
  scopes: token.scopes.split(' '),
  state: stateOf(token, now),
});

interface TokenUpdateOptions extends LimitOptions {
  company: number;
  token: number;
}

export const tokenUpdate = (): Command =>
  withLimitOptions(companyCommand('update', 'Set the rate limit of one token.', 'token'))
    .addHelpText(
      'after',
      `
It applies to the next request, and replaces the limits of the company and the service. Bursts change in proportion.

Examples:
  npm run -s parley -- token update --company 1 --token 3 --per-minute 12000
  npm run -s parley -- token update --company 1 --token 3 --default`,
    )
    .action(
      action<TokenUpdateOptions>(async ({ store }, { company, token, ...options }) => {
        const limit = limitOf(options);
        const key = { company_id: company, id: token };
        const change = { rate_per_minute: limit };
        if (!(await writeForCompany(store, company, (db) => updateRow(db, 'tokens', key, change))))
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

interface TokenRevokeOptions {
  company: number;
  token: number;
  disableWebhooks?: true;
}

export const tokenRevoke = (): Command =>
  companyCommand(
    'revoke',
    'Revoke a token immediately, and list the webhooks that it created or changed last.',
    'token',
  )
    .option('--disable-webhooks', 'disable these webhooks; also for a token that is revoked already')
    .addHelpText(
      'after',
      `
Webhooks belong to the company and outlive the token. If the token leaked, disable those that it
created or changed last.

Examples:
  npm run -s parley -- token revoke --company 1 --token 3
  npm run -s parley -- token revoke --company 1 --token 3 --disable-webhooks`,
    )
    .action(
      action<TokenRevokeOptions>(async ({ store, now }, options) => {
        const { company, token, disableWebhooks = false } = options;
        const webhooks = await writeForCompany(store, company, async (db) => {
          const revoked = await revokeToken(db, company, token, now());
          const known = revoked || (disableWebhooks && (await findToken(db, company, token)));
          if (!known)
            throw new ApiError(
              errorResponse('notFound', {
                message: disableWebhooks
                  ? `Company ${company} has no token ${token}.`
                  : `Company ${company} has no token ${token} that is not revoked yet.`,
              }),
            );
          if (disableWebhooks) await disableAll(db, company, token, now());
          return listWebhooksOfToken(db, company, token);
        });
        return {
          text: textOf(options, webhooks),
          json: { id: token, state: 'revoked', webhooks: webhooks.map(formatWebhook) },
        };
      }),
    );

async function disableAll(db: Database, companyId: number, tokenId: number, now: number): Promise<void> {
  for (const { id } of await listWebhooksOfToken(db, companyId, tokenId)) {
    const webhook = await findWebhookForUpdate(db, companyId, id);
    if (webhook && !isDisabledByOperator(webhook)) await disableWebhookForOperator(db, webhook, now);
  }
}

function textOf(
  { company, token, disableWebhooks }: TokenRevokeOptions,
  webhooks: readonly WebhookRow[],
): string {
  const revoked = `Token ${token} revoked.`;
  if (webhooks.length === 0) return revoked;
  const { text: table } = listOf(webhooks.map(formatWebhook), 'id event state url');
  // Includes webhooks that were disabled because they failed: an API update can enable them.
  const open = webhooks.filter((webhook) => !isDisabledByOperator(webhook));
  const offer =
    open.length > 0 && !disableWebhooks
      ? `\n\nDisable them: npm run -s parley -- token revoke --company ${company} --token ${token} --disable-webhooks`
      : '';
  return `${revoked} It created or last changed these webhooks:\n\n${table}${offer}`;
}
