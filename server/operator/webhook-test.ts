import { randomBytes } from 'node:crypto';
import { type Attempt, isSuccess } from '../delivery/attempt.ts';
import { createSigningKeys } from '../delivery/signing-keys.ts';
import { buildWebhookRequest, messageId } from '../delivery/webhook-request.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { exampleEvent } from '../own-contract/events.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import { eventTypeOf } from '../own-contract/webhook-selectors.ts';
import { openConfiguredSecrets } from '../runtime/bootstrap.ts';
import { type Config, readConfig } from '../runtime/config/config.ts';
import { createConfiguredSender } from '../runtime/start-delivery-worker.ts';
import type { Secrets } from '../security/secrets/encryption.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import { command } from './command.ts';
import { cliIo } from './context.ts';
import { requireWebhook, type WebhookLocation } from './webhooks.ts';

export const webhookTest = command<WebhookLocation>({
  name: 'webhook test',
  about: 'Send the signed example event to a webhook, once and from this machine.',
  of: ['company', 'webhook'],
  notes: `
The request has an ID of its own (msg_ID_test_…) and the sequence of the newest event, so a receiver drops it or
recognizes the test. Nothing is stored, and the webhook's health does not change. Allowed addresses are configured as
for the service (PARLEY_WEBHOOK_ALLOWED_NETWORKS, PARLEY_WEBHOOK_PROXY), like the encryption key.`,
  examples: ['webhook test --company 1 --webhook 31'],
  exitCodes: '0 the receiver returned 2xx, 1 it did not, 2 usage error.',
  async run({ store, now }, location) {
    const io = cliIo();
    const config = readConfig(io.env);
    const secrets = await openConfiguredSecrets(config, store);
    const webhook = await store.read((db) => requireWebhook(db, location));
    const result = await callOnce(webhook, { config, secrets, now });
    if (!isSuccess(result)) io.exitCode = 1;
    return { text: textOf(result), json: { id: webhook.id, ...result, at: formatTimestamp(result.at) } };
  },
});

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
  const sender = createConfiguredSender(config);
  try {
    return await sender.send(buildWebhookRequest(message, now()));
  } finally {
    await sender.close();
  }
}

/** Returns the contract's example of the webhook's event, with the IDs of this webhook and the current time. */
function sampleFor(webhook: WebhookRow, now: number): object {
  const type = eventTypeOf(webhook.entity_id, webhook.action_id);
  if (!type) throw new Error(`Webhook ${webhook.id} subscribes to an event that does not exist.`);
  const { meta, ...example } = exampleEvent(type);
  const { company_id, id: webhook_id, last_sequence } = webhook;
  return {
    ...example,
    timestamp: formatTimestamp(now),
    meta: { ...meta, company_id, webhook_id, sequence: Math.max(1, last_sequence) },
  };
}

function textOf({ status, ms, message = '', answer = '' }: Attempt): string {
  const said =
    status === undefined
      ? `No response: ${replaceControlCharacters(message)}`
      : `The receiver returned ${status}`;
  return `${said} (${ms} ms)${answer ? `\n\n${replaceControlCharacters(answer)}` : ''}`;
}
