import { InvalidArgumentError, Option } from 'commander';
import { notFoundError } from '../errors.ts';
import { disableWebhookForOperator, isDisabledByOperator } from '../features/webhooks/enable-disable.ts';
import { presentRow } from '../own-contract/present-row.ts';
import { scopes as allScopes } from '../own-contract/scopes.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { issueToken, tokenDays } from '../security/auth/issue-token.ts';
import { updateRow } from '../storage/queries/rows.ts';
import { findToken, listTokens, revokeToken, type TokenRow } from '../storage/queries/tokens.ts';
import { findWebhookForUpdate, listWebhooksOfToken, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Database } from '../storage/store.ts';
import { command, type Ids } from './command.ts';
import { readOfCompanies, writeForCompany } from './context.ts';
import {
  type LimitOptions,
  limitOf,
  ofCompany,
  parseInteger,
  parseName,
  withLimitOptions,
} from './options.ts';
import { formatMinute, listOf } from './output.ts';
import { formatWebhook } from './webhooks.ts';

interface TokenCreateOptions extends Ids<'company' | 'user'> {
  name: string;
  scopes: readonly string[];
  days: number;
}

export const tokenCreate = command<TokenCreateOptions>({
  name: 'token create',
  about: 'Create a token. It is shown once and not stored.',
  of: ['company'],
  options: (create) =>
    create
      .requiredOption('--user <number>', 'ID of the user of the token', parseInteger(1))
      .addOption(new Option('--name <name>', 'purpose of the token').argParser(parseName).default('', 'none'))
      .addOption(
        new Option('--scopes <scopes>', `separated by commas: ${allScopes.join(', ')}`)
          .argParser(scopesFrom)
          .default(allScopes, 'all of them'),
      )
      .option('--days <days>', 'validity in days', parseInteger(1, tokenDays.most), tokenDays.defaultValue),
  examples: [
    'token create --company 1 --user 17',
    'token create --company 1 --user 17 --scopes contacts:read --days 30 --name reports',
  ],
  async run({ store, now }, { company: companyId, user: userId, name, scopes, days }) {
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
});

function scopesFrom(text: string): string[] {
  const wanted = text.split(',').map((scope) => scope.trim());
  if (wanted.includes('')) throw new InvalidArgumentError(`Scopes: ${allScopes.join(', ')}.`);
  const unknown = wanted.filter((scope) => !allScopes.includes(scope));
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown scope: ${unknown.join(', ')}. Scopes: ${allScopes.join(', ')}.`);
  return wanted;
}

export const tokenList = command<{ company?: number }>({
  name: 'token list',
  about: 'List tokens; the tokens themselves are not stored.',
  options: ofCompany,
  examples: ['token list --company 1'],
  async run({ store, now }, { company }) {
    const tokens = await readOfCompanies(store, company, listTokens);
    return listOf(
      tokens.map((token) => formatToken(token, now())),
      'company_id id user_id state expires_at last_used_at rate_per_minute name scopes',
    );
  },
});

const stateOf = (token: TokenRow, now: number): 'holds' | 'revoked' | 'expired' => {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at <= now ? 'expired' : 'holds';
};

const formatToken = (token: TokenRow, now: number) => ({
  ...presentRow(token),
  scopes: token.scopes.split(' '),
  state: stateOf(token, now),
});

export const tokenUpdate = command<Ids<'company' | 'token'> & LimitOptions>({
  name: 'token update',
  about: 'Set the rate limit of one token.',
  of: ['company', 'token'],
  options: withLimitOptions,
  notes:
    'It applies to the next request, and replaces the limits of the company and the service. Bursts change in proportion.',
  examples: [
    'token update --company 1 --token 3 --per-minute 12000',
    'token update --company 1 --token 3 --default',
  ],
  async run({ store }, { company, token, ...options }) {
    const limit = limitOf(options);
    const key = { company_id: company, id: token };
    const change = { rate_per_minute: limit };
    if (!(await writeForCompany(store, company, (db) => updateRow(db, 'tokens', key, change))))
      throw notFoundError(company, 'token', token);
    return {
      text:
        limit === null
          ? `Token ${token} has the limit of its company.`
          : `Token ${token} may send ${limit.toLocaleString('en')} requests per minute in each API process.`,
      json: { id: token, company_id: company, rate_per_minute: limit },
    };
  },
});

interface TokenRevokeOptions extends Ids<'company' | 'token'> {
  disableWebhooks?: true;
}

export const tokenRevoke = command<TokenRevokeOptions>({
  name: 'token revoke',
  about: 'Revoke a token immediately, and list the webhooks that it created or changed last.',
  of: ['company', 'token'],
  options: (revoke) =>
    revoke.option('--disable-webhooks', 'disable these webhooks; also for a token that is revoked already'),
  notes: `
Webhooks belong to the company and outlive the token. If the token leaked, disable those that it
created or changed last.`,
  examples: ['token revoke --company 1 --token 3', 'token revoke --company 1 --token 3 --disable-webhooks'],
  async run({ store, now }, options) {
    const { company, token, disableWebhooks = false } = options;
    const webhooks = await writeForCompany(store, company, async (db) => {
      const revoked = await revokeToken(db, company, token, now());
      const known = revoked || (disableWebhooks && (await findToken(db, company, token)));
      if (!known) throw notFoundError(company, disableWebhooks ? 'token' : 'valid token', token);
      if (disableWebhooks) await disableAll(db, company, token, now());
      return listWebhooksOfToken(db, company, token);
    });
    return {
      text: textOf(options, webhooks),
      json: { id: token, state: 'revoked', webhooks: webhooks.map(formatWebhook) },
    };
  },
});

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
