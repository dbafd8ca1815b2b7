import type { KeyObject } from 'node:crypto';
import type { Secrets } from '../secrets/seal.ts';
import { placeOfSecret } from '../secrets/webhook-secret.ts';
import type { WebhookRow } from '../storage/webhooks.ts';
import { signingKey } from './sign.ts';

// A row is read once for all that is taken for it, and so are its secrets.
const opened = new WeakMap<Uint8Array, KeyObject>();

/**
 * What is sent to a webhook now is signed with these: its secret, and the one before for a day after it was changed
 * (D44).
 * @throws Error where the key does not open them
 */
export function signingKeysOf(webhook: WebhookRow, secrets: Secrets, now: number): KeyObject[] {
  const place = placeOfSecret(webhook.company_id, webhook.id);
  const { secret, previous_secret, previous_secret_until } = webhook;
  const holds = previous_secret !== null && previous_secret_until !== null && now < previous_secret_until;
  return [secret, ...(holds ? [previous_secret] : [])].map((sealed) => {
    const key = opened.get(sealed) ?? signingKey(secrets.open(sealed, place));
    opened.set(sealed, key);
    return key;
  });
}
