import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Secrets } from '../security/secrets/encryption.ts';
import { webhookSecretContext } from '../security/secrets/webhook-secret.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';

const prefix = 'whsec_';

/** Returns the key of a secret in the format of Standard Webhooks: `whsec_` and base64. */
export const signingKey = (secret: string): KeyObject =>
  createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64'));

/**
 * Signs a message as defined by Standard Webhooks: HMAC-SHA256 over its ID, timestamp and content.
 * @param keys each key makes one signature
 * @param seconds the timestamp, in seconds since 1970
 */
export function signatures(
  keys: readonly KeyObject[],
  { id, seconds, content }: { id: string; seconds: number; content: string },
): string {
  const signed = `${id}.${seconds}.${content}`;
  return keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' ');
}

/** Returns the keys that sign a webhook's events now. @throws Error if the secret cannot be decrypted */
export type SigningKeys = (webhook: WebhookRow, now: number) => KeyObject[];

// Maximum size of the cache. Decrypting a secret takes as long as signing several events.
const maxKept = 1_000;

/** Creates a cache of signing keys. For a day after a rotation the previous secret signs too (D44). */
export function createSigningKeys(secrets: Secrets): SigningKeys {
  const cache = new Map<string, KeyObject>();

  function keyIn(sealed: Uint8Array, location: string): KeyObject {
    const name = Buffer.from(sealed).toString('latin1');
    const key = cache.get(name) ?? signingKey(secrets.open(sealed, location));
    cache.delete(name);
    const [oldest] = cache.keys();
    if (cache.size >= maxKept && oldest !== undefined) cache.delete(oldest);
    cache.set(name, key);
    return key;
  }

  return (webhook, now) => {
    const location = webhookSecretContext(webhook.company_id, webhook.id);
    const { secret, previous_secret, previous_secret_until } = webhook;
    const previousIsValid =
      previous_secret !== null && previous_secret_until !== null && now < previous_secret_until;
    return [secret, ...(previousIsValid ? [previous_secret] : [])].map((sealed) => keyIn(sealed, location));
  };
}
