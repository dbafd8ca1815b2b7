import { Command } from 'commander';
import { verbOf } from '../contract/constants.ts';
import { countDeliveries } from '../storage/queries/deliveries.ts';
import { action } from './action.ts';
import { minute, table } from './output.ts';
import { aboutWebhook, requireWebhook, type WebhookPlace } from './webhook-options.ts';
import { eventOf, shownWebhook, switchOf } from './webhook-output.ts';

export const webhookShow = (): Command =>
  aboutWebhook(new Command('show'))
    .description('Show a webhook, how it does, and how much there is for it.')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- webhook show --company 1 --webhook 31')
    .action(
      action<WebhookPlace>(async ({ store }, place) => {
        const { row, counts } = await store.read(async (db) => ({
          row: await requireWebhook(db, place),
          counts: await countDeliveries(db, place.company, place.webhook),
        }));
        const rows: [string, string | number | null][] = [
          ['event', eventOf(row)],
          ['verb', verbOf(row.verb_id)],
          ['url', row.url],
          ['state', switchOf(row)],
          ['off since', minute(row.disabled_at)],
          ['failing since', minute(row.failing_since)],
          ['old secret signs until', minute(row.previous_secret_until)],
          ['created by token', row.created_by_token],
          ['last changed by token', row.updated_by_token],
          ['events', row.last_sequence],
          ...Object.entries(counts),
        ];
        return {
          text: table(['webhook', String(row.id)], rows),
          json: { ...shownWebhook(row), deliveries: counts },
        };
      }),
    );
