import { Command } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';
import { disableWebhookForOperator, isDisabledByOperator } from '../features/webhooks/enable-disable.ts';
import { findToken, revokeToken } from '../storage/queries/tokens.ts';
import { findWebhookForUpdate, listWebhooksOfToken, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Database } from '../storage/store.ts';
import { action, parseInteger, writeForCompany } from './action.ts';
import { formatTable } from './output.ts';
import { eventOf, formatWebhook, webhookState } from './webhook-output.ts';

interface Options {
  company: number;
  token: number;
  disableWebhooks?: true;
  json?: true;
}

export const tokenRevoke = (): Command =>
  new Command('revoke')
    .description('Revoke a token immediately, and list the webhooks that it created or changed last.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--token <id>', 'token ID, as shown by token list', parseInteger(1))
    .option('--disable-webhooks', 'disable these webhooks; also for a token that is revoked already')
    .option('--json', 'print JSON')
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
      action<Options>(async ({ store, now }, options) => {
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

function textOf({ company, token, disableWebhooks }: Options, webhooks: readonly WebhookRow[]): string {
  const revoked = `Token ${token} revoked.`;
  if (webhooks.length === 0) return revoked;
  const rows = webhooks.map((row) => [row.id, eventOf(row), webhookState(row), row.url]);
  // Includes webhooks that were disabled because they failed: an API update can enable them.
  const open = webhooks.filter((webhook) => !isDisabledByOperator(webhook));
  const offer =
    open.length > 0 && !disableWebhooks
      ? `\n\nDisable them: npm run -s parley -- token revoke --company ${company} --token ${token} --disable-webhooks`
      : '';
  return `${revoked} It created or last changed these webhooks:\n\n${formatTable(['id', 'event', 'state', 'url'], rows)}${offer}`;
}
