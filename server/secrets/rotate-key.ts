import {
  listSealedAnswers,
  listSealedWebhooks,
  replaceAnswerHeaders,
  replaceWebhookSecrets,
} from '../storage/queries/encrypted-columns.ts';
import type { Database, Store } from '../storage/store.ts';
import type { Secrets } from './encryption.ts';
import { protectedBy } from './stored-response.ts';
import { placeOfSecret } from './webhook-secret.ts';

/** How much there was, and how much of it was sealed with another key than the one that seals now. */
export interface Resealed {
  secrets: number;
  resealed: number;
}

// Whoever still seals with the key before would keep us at it for ever.
const mostPasses = 5;

/**
 * Seals everything anew that the key before has sealed. The service may work meanwhile, as long as it knows both keys.
 * @throws Error where something opens with none of the keys, or where others still seal with the key before; what was
 * sealed anew until then stays so
 */
export async function resealAll(store: Store, secrets: Secrets): Promise<Resealed> {
  let all = 0;
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const { secrets: count, resealed } = await resealOnce(store, secrets);
    all += resealed;
    // Only a look that finds nothing shows that nothing has come meanwhile.
    if (resealed === 0) return { secrets: count, resealed: all };
  }
  throw new Error(
    'Another process still encrypts with the key before. Put the new one first there, and run it again.',
  );
}

async function resealOnce(store: Store, secrets: Secrets): Promise<Resealed> {
  const told: Resealed = { secrets: 0, resealed: 0 };
  const anew = (sealed: Uint8Array, place: string): Uint8Array => {
    told.secrets += 1;
    const text = secrets.open(sealed, place);
    if (secrets.isCurrent(sealed)) return sealed;
    told.resealed += 1;
    return secrets.seal(text, place);
  };
  for (const webhook of await store.read(listSealedWebhooks)) {
    const { company_id, id, secret, previous_secret: previous } = webhook;
    const place = placeOfSecret(company_id, id);
    const before = told.resealed;
    const sealed = { secret: anew(secret, place), previous_secret: previous && anew(previous, place) };
    if (told.resealed > before)
      await store.write((db) => replaceWebhookSecrets(db, webhook, sealed), company_id);
  }
  for (const answer of await store.read(listSealedAnswers)) {
    const { seal, open } = protectedBy(secrets, answer.company_id);
    told.secrets += 1;
    const text = open(answer.headers);
    if (secrets.isCurrent(Buffer.from(answer.headers, 'base64'))) continue;
    told.resealed += 1;
    await store.write((db: Database) => replaceAnswerHeaders(db, answer, seal(text)), answer.company_id);
  }
  return told;
}
