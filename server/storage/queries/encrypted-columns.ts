import type { Selectable } from 'kysely';
import type { Database } from '../store.ts';
import type { IdempotencyKeyTable } from '../tables/idempotency-keys.ts';
import type { WebhookTable } from '../tables/webhooks.ts';

/* Encrypted columns of all companies, including deleted webhooks, for key rotation. */

type SealedWebhook = Pick<Selectable<WebhookTable>, 'company_id' | 'id' | 'secret' | 'previous_secret'>;

type SealedResponse = Pick<Selectable<IdempotencyKeyTable>, 'company_id' | 'key' | 'headers'>;

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
