import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { timestamp } from '../contract/timestamp.ts';
import { rotateSecret } from '../features/webhooks/rotate-secret.ts';
import { secretsOf } from '../runtime/bootstrap.ts';
import { action } from './action.ts';
import { surroundings } from './cli-io.ts';
import { minute } from './output.ts';
import { aboutWebhook, holdRequired, type WebhookPlace } from './webhook-options.ts';

export const webhookRotateSecret = (): Command =>
  aboutWebhook(new Command('rotate-secret'))
    .description(
      'Give a webhook a new secret, shown once, now. For 24 hours events are signed with the old one, too.',
    )
    .addHelpText(
      'after',
      '\nIt needs the key that secrets are encrypted with (PARLEY_SECRET_KEY or PARLEY_SECRET_KEY_FILE, as the service has it).' +
        '\n\nExample:\n  npm run -s parley -- webhook rotate-secret --company 1 --webhook 31',
    )
    .action(
      action<WebhookPlace>(async ({ store, now }, place) => {
        const secrets = await secretsOf(readConfig(surroundings().env), store);
        const { secret, previousUntil } = await store.write(async (db) =>
          rotateSecret(db, await holdRequired(db, place), secrets, now()),
        );
        return {
          text: `Webhook ${place.webhook} has a new secret, shown only this once:\n\n  ${secret}\n\nThe old one signs, too, until ${minute(previousUntil)} UTC.`,
          json: { id: place.webhook, secret, previous_secret_until: timestamp(previousUntil) },
        };
      }),
    );
