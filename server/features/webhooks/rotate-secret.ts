import { notBefore } from '../../own-contract/timestamp.ts';
import type { Secrets } from '../../security/secrets/encryption.ts';
import { mintSecret, webhookSecretContext } from '../../security/secrets/webhook-secret.ts';
import { updateRow } from '../../storage/queries/rows.ts';
import type { WebhookRow } from '../../storage/queries/webhooks.ts';
import type { Database } from '../../storage/store.ts';

/** For this long after a rotation, requests are also signed with the previous secret (D44). */
const overlapMs = 24 * 3_600_000;

/**
 * Sets a new secret on a webhook. The caller must have locked the webhook's row.
 * @returns the secret, which is shown only once, and the time until which the previous secret also signs
 */
export async function rotateSecret(
  db: Database,
  webhook: WebhookRow,
  secrets: Secrets,
  now: number,
): Promise<{ secret: string; previousUntil: number }> {
  const { company_id: companyId, id } = webhook;
  const secret = mintSecret();
  const previousUntil = now + overlapMs;
  await updateRow(db, 'webhooks', webhook, {
    secret: secrets.seal(secret, webhookSecretContext(companyId, id)),
    previous_secret: webhook.secret,
    previous_secret_until: previousUntil,
    updated_at: notBefore(webhook, now),
  });
  return { secret, previousUntil };
}
