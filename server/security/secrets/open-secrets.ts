import { listSealedWebhooks } from '../../storage/queries/encrypted-columns.ts';
import type { Store } from '../../storage/store.ts';
import { createSecrets, type Secrets } from './encryption.ts';
import { type EncryptionKeys, readKeyFile } from './encryption-keys.ts';
import { webhookSecretContext } from './webhook-secret.ts';

/**
 * Creates `Secrets` from the configured keys, or else from those in the key file, and checks that they match the
 * secrets in the database. The file is created if that is allowed and the database has no secrets yet.
 * @throws Error if the key is missing or invalid, or the stored secrets were encrypted with another key
 */
export async function openSecrets(
  store: Store,
  { keys, keyFile, mayMakeKey }: { keys: EncryptionKeys | null; keyFile: string; mayMakeKey: boolean },
): Promise<Secrets> {
  const webhooks = await store.read(listSealedWebhooks);
  const webhook = webhooks.at(-1);
  const secrets = createSecrets(
    ...(keys ?? readKeyFile(keyFile, { mayMake: mayMakeKey, hasSecrets: webhook !== undefined })),
  );
  try {
    if (webhook) secrets.open(webhook.secret, webhookSecretContext(webhook.company_id, webhook.id));
    // During a key rotation, some secrets may still be encrypted with another key.
    if (!webhooks.every(({ secret }) => secrets.isKnown(secret)))
      throw new Error('Another key is also needed.');
  } catch (error) {
    const where = keys ? 'PARLEY_SECRET_KEY' : keyFile;
    throw new Error(`${where} is not the key of the secrets in the database.`, {
      cause: error,
    });
  }
  return secrets;
}
