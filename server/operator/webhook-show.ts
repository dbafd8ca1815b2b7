import { Command } from 'commander';
import { httpMethodOf } from '../own-contract/webhook-selectors.ts';
import { countDeliveries } from '../storage/queries/deliveries.ts';
import { action } from './action.ts';
import { formatMinute, formatTable } from './output.ts';
import { requireWebhook, type WebhookOptions, withWebhookArguments } from './webhook-options.ts';
import { eventOf, formatWebhook, webhookState } from './webhook-output.ts';

export const webhookShow = (): Command =>
  withWebhookArguments(new Command('show'))
    .description('Show a webhook, its health and its deliveries.')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- webhook show --company 1 --webhook 31')
    .action(
      action<WebhookOptions>(async ({ store }, location) => {
        const { row, counts } = await store.read(async (db) => ({
          row: await requireWebhook(db, location),
          counts: await countDeliveries(db, location.company, location.webhook),
        }));
        const rows: [string, string | number | null][] = [
          ['event', eventOf(row)],
          ['verb', httpMethodOf(row.verb_id)],
          ['url', row.url],
          ['state', webhookState(row)],
          ['off since', formatMinute(row.disabled_at)],
          ['failing since', formatMinute(row.failing_since)],
          ['old secret signs until', formatMinute(row.previous_secret_until)],
          ['created by token', row.created_by_token],
          ['last changed by token', row.updated_by_token],
          ['events', row.last_sequence],
          ...Object.entries(counts),
        ];
        return {
          text: formatTable(['webhook', String(row.id)], rows),
          json: { ...formatWebhook(row), deliveries: counts },
        };
      }),
    );
