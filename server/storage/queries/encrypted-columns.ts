import type { Database } from '../store.ts';

/* Encrypted columns of all companies, including deleted webhooks, for key rotation. */

export const listSealedWebhooks = (db: Database) =>
  db.selectFrom('webhooks').select(['company_id', 'id', 'secret', 'previous_secret']).orderBy('id').execute();

/** Lists stored responses with encrypted headers. Unencrypted headers are JSON, which begins with `{`. */
export const listSealedResponses = (db: Database) =>
  db
    .selectFrom('idempotency_keys')
    .select(['company_id', 'key', 'headers'])
    .where('headers', 'not like', '{%')
    .where('headers', '!=', '')
    .execute();
