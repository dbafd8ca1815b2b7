import { listSealedResponses, listSealedWebhooks } from '../../storage/queries/encrypted-columns.ts';
import { updateRows } from '../../storage/queries/rows.ts';
import type { Store } from '../../storage/store.ts';
import { createResponseEncryption, type Secrets } from './encryption.ts';
import { webhookSecretContext } from './webhook-secret.ts';

/** The number of secrets, and how many of them were re-encrypted. */
export interface ReencryptionCounts {
  secrets: number;
  resealed: number;
}

// Processes that still encrypt with the previous key could make this run forever.
const maxPasses = 5;

/**
 * Re-encrypts everything that is encrypted with a previous key. The service may run meanwhile if it has both keys.
 * @throws Error if a secret cannot be decrypted, or if other processes keep using the previous key. Secrets that were
 * re-encrypted before the error stay re-encrypted.
 */
export async function reencryptAll(store: Store, secrets: Secrets): Promise<ReencryptionCounts> {
  let all = 0;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const { secrets: count, resealed } = await resealOnce(store, secrets);
    all += resealed;
    // Other processes may add secrets with the previous key, so only a pass that finds no such secret is the last.
    if (resealed === 0) return { secrets: count, resealed: all };
  }
  throw new Error(
    'Another process still encrypts with the previous key. Set the new key first in all processes, and run this again.',
  );
}

async function resealOnce(store: Store, secrets: Secrets): Promise<ReencryptionCounts> {
  const counts: ReencryptionCounts = { secrets: 0, resealed: 0 };
  const anew = (sealed: Uint8Array, location: string): Uint8Array => {
    counts.secrets += 1;
    const text = secrets.open(sealed, location);
    if (secrets.isCurrent(sealed)) return sealed;
    counts.resealed += 1;
    return secrets.seal(text, location);
  };
  for (const webhook of await store.read(listSealedWebhooks)) {
    const { company_id, id, secret, previous_secret: previous } = webhook;
    const location = webhookSecretContext(company_id, id);
    const before = counts.resealed;
    const sealed = { secret: anew(secret, location), previous_secret: previous && anew(previous, location) };
    // Unless the secrets have changed since they were read. The same is true for the headers below.
    if (counts.resealed > before)
      await store.write((db) => updateRows(db, 'webhooks', webhook, sealed), company_id);
  }
  for (const response of await store.read(listSealedResponses)) {
    const { seal, open } = createResponseEncryption(secrets, response.company_id);
    counts.secrets += 1;
    const text = open(response.headers);
    if (secrets.isCurrent(Buffer.from(response.headers, 'base64'))) continue;
    counts.resealed += 1;
    const change = { headers: seal(text) };
    await store.write((db) => updateRows(db, 'idempotency_keys', response, change), response.company_id);
  }
  return counts;
}
