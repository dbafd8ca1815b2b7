import { Command } from 'commander';
import { disableWebhook } from '../webhooks/switch.ts';
import { action } from './run.ts';
import { aboutWebhook, holdRequired, type WebhookPlace } from './webhook-place.ts';

export const webhookDisable = (): Command =>
  aboutWebhook(new Command('disable'))
    .description('Send nothing more to a webhook. What happens is kept for it for 30 days.')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- webhook disable --company 1 --webhook 31')
    .action(
      action<WebhookPlace>(async ({ store, now }, place) => {
        const changed = await store.write(async (db) => {
          const webhook = await holdRequired(db, place);
          if (webhook.disabled_at === null) await disableWebhook(db, webhook, now());
          return webhook.disabled_at === null;
        });
        return {
          text: `Webhook ${place.webhook} ${changed ? 'disabled' : 'was disabled already'}.`,
          json: { id: place.webhook, disabled: true, changed },
        };
      }),
    );
