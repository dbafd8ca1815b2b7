import { type Keys, keysInFile } from '../secrets/key.ts';
import { createSecrets, type Secrets } from '../secrets/seal.ts';
import { placeOfSecret } from '../secrets/webhook-secret.ts';
import type { Store } from '../storage/store.ts';
import { findAnyWebhook } from '../storage/webhooks.ts';

/**
 * The secrets of a database: with the key that is set, else with the one in a file, which is made where it may
 * be and nothing is encrypted yet.
 * @throws Error where the key is missing, is none, or does not open what is there
 */
export async function openSecrets(
  store: Store,
  { keys, keyFile, mayMakeKey }: { keys: Keys | null; keyFile: string; mayMakeKey: boolean },
): Promise<Secrets> {
  const webhook = await store.read(findAnyWebhook);
  const secrets = createSecrets(
    ...(keys ?? keysInFile(keyFile, { mayMake: mayMakeKey && webhook === undefined })),
  );
  try {
    if (webhook) secrets.open(webhook.secret, placeOfSecret(webhook.company_id, webhook.id));
  } catch (error) {
    const where = keys ? 'PARLEY_SECRET_KEY' : keyFile;
    throw new Error(`${where} is not the key that the secrets in the database are encrypted with.`, {
      cause: error,
    });
  }
  return secrets;
}
