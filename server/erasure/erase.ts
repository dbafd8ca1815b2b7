import { presentContact } from '../contacts/present.ts';
import { pathTo } from '../contract/handler.ts';
import { notBefore } from '../contract/timestamp.ts';
import { publish } from '../events/publish.ts';
import type { ContactWithValues } from '../storage/contact-values.ts';
import { holdContact } from '../storage/contacts.ts';
import {
  eraseDeliveries,
  eraseImportKeys,
  eraseKeptAnswers,
  eraseRows,
  type Kind,
  listConversationsOf,
  listKeptAnswers,
  listMessagesOf,
  partSize,
} from '../storage/erase.ts';
import { keepDefinitions } from '../storage/locks.ts';
import type { Database, Store } from '../storage/store.ts';

/** How much has gone for good. */
export interface Erased {
  contacts: number;
  conversations: number;
  messages: number;
  /** Events that were kept, sent or not. */
  deliveries: number;
  /** Answers that were kept for a second request. */
  answers: number;
}

export const nothing = (): Erased => ({
  contacts: 0,
  conversations: 0,
  messages: 0,
  deliveries: 0,
  answers: 0,
});

const plural = { contact: 'contacts', conversation: 'conversations', message: 'messages' } as const;

/** Where an answer to a creation says that the new thing is. */
const placeOf = { contact: 'getContact', message: 'getMessage' } as const;

/**
 * Erases a contact with everything that was said with him: rows, search, kept events, kept answers, names of imports. It
 * is done in parts; where it breaks off, it is done again. Webhooks learn of one that was not deleted before that he is
 * gone, and nothing else of him.
 * @param now milliseconds since 1970
 */
export async function eraseContact(
  store: Store,
  companyId: number,
  id: number,
  { now, erased = nothing() }: { now: number; erased?: Erased },
): Promise<Erased> {
  for (;;) {
    const ids = await store.read((db) => listConversationsOf(db, companyId, id));
    for (const conversation of ids) await eraseConversation(store, companyId, conversation, erased);
    const isGone = await store.write(async (db) => {
      await keepDefinitions(db, companyId);
      const found = await holdContact(db, companyId, id);
      // One that has come meanwhile goes first.
      if ((await listConversationsOf(db, companyId, id)).length > 0) return false;
      await eraseAll(db, companyId, 'contact', [id], erased);
      if (found) await tellThatHeIsGone(db, found, now);
      return true;
    }, companyId);
    if (isGone) break;
  }
  await eraseAnswersOf(store, companyId, 'contact', [id], erased);
  return erased;
}

async function tellThatHeIsGone(db: Database, found: ContactWithValues, now: number): Promise<void> {
  const deletedAt = notBefore(found.contact, now);
  const { company_id: companyId } = found.contact;
  const empty = {
    ...presentContact({ contact: { ...found.contact, updated_at: deletedAt }, values: [] }),
    first_name: null,
    last_name: null,
    email_address: null,
    telephone_number: null,
    avatar: null,
    integration: null,
  };
  await publish(db, { companyId, type: 'contact.deleted', data: async () => empty, now: deletedAt });
}

/** Erases a conversation with its messages. */
export async function eraseConversation(
  store: Store,
  companyId: number,
  id: number,
  erased: Erased,
): Promise<void> {
  for (;;) {
    const ids = await store.write(async (db) => {
      const part = await listMessagesOf(db, companyId, [id]);
      if (part.length > 0) await eraseAll(db, companyId, 'message', part, erased);
      if (part.length < partSize) await eraseAll(db, companyId, 'conversation', [id], erased);
      return part;
    }, companyId);
    await eraseAnswersOf(store, companyId, 'message', ids, erased);
    if (ids.length < partSize) return;
  }
}

/** Erases messages alone. */
export async function eraseMessages(
  store: Store,
  companyId: number,
  ids: readonly number[],
  erased: Erased,
): Promise<void> {
  await store.write((db) => eraseAll(db, companyId, 'message', ids, erased), companyId);
  await eraseAnswersOf(store, companyId, 'message', ids, erased);
}

async function eraseAll(
  db: Database,
  companyId: number,
  kind: Kind,
  ids: readonly number[],
  erased: Erased,
): Promise<void> {
  erased.deliveries += await eraseDeliveries(db, companyId, kind, ids);
  await eraseImportKeys(db, companyId, kind, ids);
  await eraseRows(db, companyId, kind, ids);
  erased[plural[kind]] += ids.length;
}

/** Their keys are names that callers chose, and may tell of whom they are. */
async function eraseAnswersOf(
  store: Store,
  companyId: number,
  kind: keyof typeof placeOf,
  ids: readonly number[],
  erased: Erased,
): Promise<void> {
  if (ids.length === 0) return;
  const places = new Set(ids.map((id) => pathTo(placeOf[kind], id)));
  for (let after = ''; ; ) {
    const part = await store.read((db) => listKeptAnswers(db, companyId, after));
    const keys = part.filter(({ headers }) => places.has(locationIn(headers))).map(({ key }) => key);
    await store.write((db) => eraseKeptAnswers(db, companyId, keys), companyId);
    erased.answers += keys.length;
    const last = part.at(-1);
    if (!last || part.length < partSize) return;
    after = last.key;
  }
}

/** Headers in which a secret is are encrypted; they tell of webhooks. */
function locationIn(headers: string): string {
  try {
    const { Location = '' }: { Location?: string } = JSON.parse(headers);
    return Location;
  } catch {
    return '';
  }
}
