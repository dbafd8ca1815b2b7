import { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { rotateSecret } from '../features/webhooks/rotate-secret.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { openConfiguredSecrets } from '../runtime/bootstrap.ts';
import { action } from './action.ts';
import { cliIo } from './cli-io.ts';
import { formatMinute } from './output.ts';
import { requireWebhookForUpdate, type WebhookOptions, withWebhookArguments } from './webhook-options.ts';

export const webhookRotateSecret = (): Command =>
  withWebhookArguments(new Command('rotate-secret'))
    .description(
      'Replace the secret of a webhook, and print the new one once. The old one signs too for 24 hours.',
    )
    .addHelpText(
      'after',
      '\nNeeds the encryption key of the service (PARLEY_SECRET_KEY or PARLEY_SECRET_KEY_FILE).' +
        '\n\nExample:\n  npm run -s parley -- webhook rotate-secret --company 1 --webhook 31',
    )
    .action(
      action<WebhookOptions>(async ({ store, now }, location) => {
        const secrets = await openConfiguredSecrets(readConfig(cliIo().env), store);
        const { secret, previousUntil } = await store.write(async (db) =>
          rotateSecret(db, await requireWebhookForUpdate(db, location), secrets, now()),
        );
        return {
          text: `Webhook ${location.webhook} has a new secret, which is not shown again:\n\n  ${secret}\n\nThe old secret signs too until ${formatMinute(previousUntil)} UTC.`,
          json: { id: location.webhook, secret, previous_secret_until: formatTimestamp(previousUntil) },
        };
      }),
    );
