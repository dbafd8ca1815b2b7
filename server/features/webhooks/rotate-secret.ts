import { notBefore } from '../../contract/timestamp.ts';
import type { Secrets } from '../../secrets/encryption.ts';
import { mintSecret, webhookSecretContext } from '../../secrets/webhook-secret.ts';
import { updateWebhookRow, type WebhookRow } from '../../storage/queries/webhooks.ts';
import type { Database } from '../../storage/store.ts';

/** For how long the previous secret also signs (D44). */
const overlapMs = 24 * 3_600_000;

/** Sets a new secret on a locked webhook. @returns the secret, which is shown only once */
export async function rotateSecret(
  db: Database,
  webhook: WebhookRow,
  secrets: Secrets,
  now: number,
): Promise<{ secret: string; previousUntil: number }> {
  const { company_id: companyId, id } = webhook;
  const secret = mintSecret();
  const previousUntil = now + overlapMs;
  await updateWebhookRow(db, companyId, id, {
    secret: secrets.seal(secret, webhookSecretContext(companyId, id)),
    previous_secret: webhook.secret,
    previous_secret_until: previousUntil,
    updated_at: notBefore(webhook, now),
  });
  return { secret, previousUntil };
}
