import type { Secrets } from '../secrets/seal.ts';
import { placeOfSecret } from '../secrets/webhook-secret.ts';
import type { WebhookRow } from '../storage/webhooks.ts';

/**
 * What is sent to a webhook now is signed with these: its secret, and the one before for a day after it was changed
 * (D44).
 * @throws Error where the key does not open them
 */
export function secretsToSignWith(webhook: WebhookRow, secrets: Secrets, now: number): string[] {
  const place = placeOfSecret(webhook.company_id, webhook.id);
  const { secret, previous_secret, previous_secret_until } = webhook;
  const holds = previous_secret !== null && previous_secret_until !== null && now < previous_secret_until;
  return [secret, ...(holds ? [previous_secret] : [])].map((sealed) => secrets.open(sealed, place));
}
