import { Command } from 'commander';
import { isDisabledByOperator } from '../features/webhooks/enable-disable.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import type { Database } from '../storage/store.ts';
import { action } from './action.ts';
import { requireWebhookForUpdate, type WebhookOptions, withWebhookArguments } from './webhook-options.ts';

/** Creates a command that enables or disables a webhook. */
export const webhookToggle = (
  { verb, past, about, off }: { verb: string; past: string; about: string; off: boolean },
  change: (db: Database, webhook: WebhookRow, now: number) => Promise<void>,
): Command =>
  withWebhookArguments(new Command(verb))
    .description(about)
    .addHelpText('after', `\nExample:\n  npm run -s parley -- webhook ${verb} --company 1 --webhook 31`)
    .action(
      action<WebhookOptions>(async ({ store, now }, location) => {
        const changed = await store.write(async (db) => {
          const webhook = await requireWebhookForUpdate(db, location);
          // The operator can also disable a webhook that is already disabled because it failed. An API update can
          // then no longer enable the webhook (D47).
          const isDone = off ? isDisabledByOperator(webhook) : webhook.disabled_at === null;
          if (!isDone) await change(db, webhook, now());
          return !isDone;
        });
        return {
          text: `Webhook ${location.webhook} ${changed ? past : `was ${past} already`}.`,
          json: { id: location.webhook, disabled: off, changed },
        };
      }),
    );
