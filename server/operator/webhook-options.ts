import type { Command } from 'commander';
import { ApiError } from '../contract/errors.ts';
import { errorResponse } from '../errors.ts';
import { findWebhook, findWebhookForUpdate, type WebhookRow } from '../storage/queries/webhooks.ts';
import type { Database } from '../storage/store.ts';
import { parseInteger, requireCompany } from './action.ts';

/** The options of a command on one webhook. */
export interface WebhookOptions {
  company: number;
  webhook: number;
  json?: true;
}

/** Adds the options of commands on one webhook. */
export const withWebhookArguments = (command: Command): Command =>
  command
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--webhook <id>', 'webhook ID', parseInteger(1))
    .option('--json', 'print JSON');

interface WebhookLocation {
  company: number;
  webhook: number;
}

/** Reads a webhook. @throws ApiError if it does not exist */
export const requireWebhook = (db: Database, location: WebhookLocation): Promise<WebhookRow> =>
  required(db, location, findWebhook);

/** Reads and locks a webhook. @throws ApiError if it does not exist */
export const requireWebhookForUpdate = (db: Database, location: WebhookLocation): Promise<WebhookRow> =>
  required(db, location, findWebhookForUpdate);

async function required(
  db: Database,
  { company, webhook: id }: WebhookLocation,
  find: typeof findWebhook,
): Promise<WebhookRow> {
  await requireCompany(db, company);
  const webhook = await find(db, company, id);
  if (webhook) return webhook;
  throw new ApiError(
    errorResponse('notFound', {
      message: `Company ${company} has no webhook ${id}. See: npm run -s parley -- webhook list --company ${company}`,
    }),
  );
}
