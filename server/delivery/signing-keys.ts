import type { KeyObject } from 'node:crypto';
import type { Secrets } from '../secrets/encryption.ts';
import { webhookSecretContext } from '../secrets/webhook-secret.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import { signingKey } from './signature.ts';

/** What a webhook's events are signed with now. @throws Error where its secret cannot be opened */
export type SigningKeys = (webhook: WebhookRow, now: number) => KeyObject[];

// Opening a secret takes as long as signing several events.
const maxKept = 1_000;

/** A webhook's secret signs, and the one before for a day after it was changed (D44). */
export function createSigningKeys(secrets: Secrets): SigningKeys {
  const kept = new Map<string, KeyObject>();

  function keyIn(sealed: Uint8Array, location: string): KeyObject {
    const name = Buffer.from(sealed).toString('latin1');
    const key = kept.get(name) ?? signingKey(secrets.open(sealed, location));
    const [oldest] = kept.keys();
    if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest);
    kept.set(name, key);
    return key;
  }

  return (webhook, now) => {
    const location = webhookSecretContext(webhook.company_id, webhook.id);
    const { secret, previous_secret, previous_secret_until } = webhook;
    const holds = previous_secret !== null && previous_secret_until !== null && now < previous_secret_until;
    return [secret, ...(holds ? [previous_secret] : [])].map((sealed) => keyIn(sealed, location));
  };
}
