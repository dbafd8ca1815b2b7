import { Command } from 'commander';
import { enableWebhook } from '../webhooks/switch.ts';
import { action } from './run.ts';
import { aboutWebhook, holdRequired, type WebhookPlace } from './webhook-place.ts';

export const webhookEnable = (): Command =>
  aboutWebhook(new Command('enable'))
    .description('Send to a webhook again, and what was kept for it at once.')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- webhook enable --company 1 --webhook 31')
    .action(
      action<WebhookPlace>(async ({ store, now }, place) => {
        const changed = await store.write(async (db) => {
          const webhook = await holdRequired(db, place);
          if (webhook.disabled_at !== null) await enableWebhook(db, webhook, now());
          return webhook.disabled_at !== null;
        });
        return {
          text: `Webhook ${place.webhook} ${changed ? 'enabled' : 'was enabled already'}.`,
          json: { id: place.webhook, disabled: false, changed },
        };
      }),
    );
