import type { Command } from 'commander';
import { Refused, refusal } from '../errors.ts';
import { findWebhook, holdWebhook, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Database } from '../storage/store.ts';
import { requireCompany, wholeNumber } from './action.ts';

/** Which webhook a command is about. */
export interface WebhookPlace {
  company: number;
  webhook: number;
  json?: true;
}

/** The options that every command about one webhook has. */
export const aboutWebhook = (command: Command): Command =>
  command
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--webhook <id>', 'the webhook', wholeNumber(1))
    .option('--json', 'print JSON');

interface Place {
  company: number;
  webhook: number;
}

/** @throws Refused where there is none */
export const requireWebhook = (db: Database, place: Place): Promise<WebhookRow> =>
  required(db, place, findWebhook);

/** The same, and nobody else changes it until the end of the transaction. */
export const holdRequired = (db: Database, place: Place): Promise<WebhookRow> =>
  required(db, place, holdWebhook);

async function required(
  db: Database,
  { company, webhook: id }: Place,
  find: typeof findWebhook,
): Promise<WebhookRow> {
  await requireCompany(db, company);
  const webhook = await find(db, company, id);
  if (webhook) return webhook;
  throw new Refused(
    refusal('noSuchResource', {
      message: `Company ${company} has no webhook ${id}. See: npm run -s parley -- webhook list --company ${company}`,
    }),
  );
}
