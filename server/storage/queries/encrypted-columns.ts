import type { Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { IdempotencyKeyTable } from '../tables/idempotency-keys.ts';
import type { WebhookTable } from '../tables/webhooks.ts';

/*
 * Encrypted columns of all companies, including deleted webhooks, for key rotation.
 */

export type SealedWebhook = Pick<
  Selectable<WebhookTable>,
  'company_id' | 'id' | 'secret' | 'previous_secret'
>;

export type SealedResponse = Pick<Selectable<IdempotencyKeyTable>, 'company_id' | 'key' | 'headers'>;

export const listSealedWebhooks = (db: Database): Promise<SealedWebhook[]> =>
  db.selectFrom('webhooks').select(['company_id', 'id', 'secret', 'previous_secret']).orderBy('id').execute();

/** Lists stored responses with encrypted headers. Unencrypted headers are JSON, which begins with `{`. */
export const listSealedResponses = (db: Database): Promise<SealedResponse[]> =>
  db
    .selectFrom('idempotency_keys')
    .select(['company_id', 'key', 'headers'])
    .where('headers', 'not like', '{%')
    .where('headers', '!=', '')
    .execute();

/** Replaces the secrets of a webhook, unless they have changed since they were read. */
export async function replaceWebhookSecrets(
  db: Database,
  { company_id, id, secret, previous_secret: previous }: SealedWebhook,
  secrets: Pick<SealedWebhook, 'secret' | 'previous_secret'>,
): Promise<void> {
  await db
    .updateTable('webhooks')
    .set(secrets)
    .where('company_id', '=', company_id)
    .where('id', '=', id)
    .where('secret', '=', secret)
    .where((eb) =>
      previous === null ? eb('previous_secret', 'is', null) : eb('previous_secret', '=', previous),
    )
    .execute();
}
