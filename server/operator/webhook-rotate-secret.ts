import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { formatTimestamp } from '../contract/timestamp.ts';
import { rotateSecret } from '../features/webhooks/rotate-secret.ts';
import { openConfiguredSecrets } from '../runtime/bootstrap.ts';
import { action } from './action.ts';
import { cliIo } from './cli-io.ts';
import { formatMinute } from './output.ts';
import { requireWebhookForUpdate, type WebhookOptions, withWebhookArguments } from './webhook-options.ts';

export const webhookRotateSecret = (): Command =>
  withWebhookArguments(new Command('rotate-secret'))
    .description(
      'Give a webhook a new secret, shown once, now. For 24 hours events are signed with the old one, too.',
    )
    .addHelpText(
      'after',
      '\nIt needs the key that secrets are encrypted with (PARLEY_SECRET_KEY or PARLEY_SECRET_KEY_FILE, as the service has it).' +
        '\n\nExample:\n  npm run -s parley -- webhook rotate-secret --company 1 --webhook 31',
    )
    .action(
      action<WebhookOptions>(async ({ store, now }, location) => {
        const secrets = await openConfiguredSecrets(readConfig(cliIo().env), store);
        const { secret, previousUntil } = await store.write(async (db) =>
          rotateSecret(db, await requireWebhookForUpdate(db, location), secrets, now()),
        );
        return {
          text: `Webhook ${location.webhook} has a new secret, shown only this once:\n\n  ${secret}\n\nThe old one signs, too, until ${formatMinute(previousUntil)} UTC.`,
          json: { id: location.webhook, secret, previous_secret_until: formatTimestamp(previousUntil) },
        };
      }),
    );
