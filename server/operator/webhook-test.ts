import { randomBytes } from 'node:crypto';
import { Command } from 'commander';
import { type Config, readConfig } from '../config/config.ts';
import { eventTypeOf, exampleOf } from '../contract/events.ts';
import { timestamp } from '../contract/timestamp.ts';
import { type Attempt, isSuccess } from '../delivery/attempt.ts';
import { createSigningKeys } from '../delivery/signing-keys.ts';
import { callOf, messageId } from '../delivery/webhook-request.ts';
import { printable } from '../lib/terminal.ts';
import { secretsOf } from '../runtime/bootstrap.ts';
import { senderFor } from '../runtime/start-delivery-worker.ts';
import type { Secrets } from '../secrets/encryption.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import { action } from './action.ts';
import { surroundings } from './cli-io.ts';
import { aboutWebhook, requireWebhook, type WebhookPlace } from './webhook-options.ts';

export const webhookTest = (): Command =>
  aboutWebhook(new Command('test'))
    .description("Send the contract's example of its event to a webhook, signed, once and from here.")
    .addHelpText(
      'after',
      `
The call carries an id of its own (msg_ID_test_…) and the number of the newest event, so a receiver drops it
or takes it for what it is. Nothing is stored, and it says nothing of the webhook's health. Which addresses may be
called is set as for the service (PARLEY_WEBHOOK_HTTP, PARLEY_WEBHOOK_NETWORKS, PARLEY_WEBHOOK_PROXY), and so is
the key of the secrets.

Example:
  npm run -s parley -- webhook test --company 1 --webhook 31

Exit codes: 0 answered with 2xx, 1 not, 2 called wrongly.`,
    )
    .action(
      action<WebhookPlace>(async ({ store, now }, place) => {
        const around = surroundings();
        const config = readConfig(around.env);
        const secrets = await secretsOf(config, store);
        const webhook = await store.read((db) => requireWebhook(db, place));
        const result = await callOnce(webhook, { config, secrets, now });
        if (!isSuccess(result)) around.exitCode = 1;
        return { text: textOf(result), json: { id: webhook.id, ...result, at: timestamp(result.at) } };
      }),
    );

async function callOnce(
  webhook: WebhookRow,
  { config, secrets, now }: { config: Config; secrets: Secrets; now: () => number },
): Promise<Attempt> {
  const message = {
    id: messageId(webhook.id, `test_${randomBytes(6).toString('hex')}`),
    payload: JSON.stringify(sampleFor(webhook, now())),
    webhook,
    keys: createSigningKeys(secrets)(webhook, now()),
  };
  const sender = senderFor(config);
  try {
    return await sender.send(callOf(message, now()));
  } finally {
    await sender.close();
  }
}

/** The example, as if it had happened now and in this company. */
function sampleFor(webhook: WebhookRow, now: number): object {
  const type = eventTypeOf(webhook.entity_id, webhook.action_id);
  if (!type) throw new Error(`Webhook ${webhook.id} waits for nothing that happens.`);
  const { meta, ...example } = exampleOf(type);
  const { company_id, id: webhook_id, last_sequence } = webhook;
  return {
    ...example,
    timestamp: timestamp(now),
    meta: { ...meta, company_id, webhook_id, sequence: Math.max(1, last_sequence) },
  };
}

function textOf({ status, ms, message = '', answer = '' }: Attempt): string {
  const said = status === undefined ? `No answer: ${printable(message)}` : `Answered with ${status}`;
  return `${said} (${ms} ms)${answer ? `\n\n${printable(answer)}` : ''}`;
}
