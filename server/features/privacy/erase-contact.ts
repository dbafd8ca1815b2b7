import { publish } from '../../delivery/publish.ts';
import { type ContactProperties, contactDefaults } from '../../own-contract/contact-properties.ts';
import { pathTo, type Schemas } from '../../own-contract/handler.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { lockFieldDefinitionsShared } from '../../storage/locks.ts';
import type { ContactWithValues } from '../../storage/queries/contact-values.ts';
import { findContactForUpdate } from '../../storage/queries/contacts.ts';
import { findConversationForUpdate, updateConversationRow } from '../../storage/queries/conversations.ts';
import {
  batchSize,
  createdSince,
  type ErasedType,
  eraseImportKeys,
  eraseRows,
  eraseStoredResponses,
  listConversationsOf,
  listMessagesOf,
  listStoredResponses,
} from '../../storage/queries/erasure.ts';
import { type ErasedDeliveries, eraseDeliveries } from '../../storage/queries/revoked-deliveries.ts';
import type { DeliveryKey } from '../../storage/queue-types.ts';
import type { Database, Store, Transaction } from '../../storage/store.ts';
import { presentContact } from '../contacts/present.ts';
import { idempotencyRetentionMs, purgeIdempotencyKeys } from '../idempotency.ts';
import { finishErasure, type WaitOptions } from './finish-erasure.ts';

/** The number of erased entities. */
export interface ErasureCounts {
  contacts: number;
  conversations: number;
  messages: number;
  /** Events, sent or not. */
  deliveries: number;
  /** Stored responses of create requests with an `Idempotency-Key`. */
  responses: number;
}

export const noErasures = (): ErasureCounts => ({
  contacts: 0,
  conversations: 0,
  messages: 0,
  deliveries: 0,
  responses: 0,
});

/** The operations whose paths appear in the Location headers of create requests. */
const readOperationOf = { contact: 'getContact', message: 'getMessage' } as const;

/**
 * Erases a contact with all data about it: rows, search index, events, stored responses, import keys. It runs in
 * batches; an interrupted run can be repeated. Webhooks receive `contact.deleted` without personal data, unless the
 * contact was deleted before. It returns when no webhook request with the contact's data is in flight, unless the caller
 * passes `claimed` and then calls `finishErasure` itself.
 * @param now milliseconds since 1970
 */
export async function eraseContact(
  store: Store,
  companyId: number,
  id: number,
  { now, erased = noErasures(), claimed, ...waiting }: WaitOptions & Pick<Erasing, 'now'> & Partial<Erasing>,
): Promise<ErasureCounts> {
  const erasing: Erasing = { now, erased, claimed: claimed ?? [] };
  await purgeIdempotencyKeys(store, now);
  for (;;) {
    const ids = await store.read((db) => listConversationsOf(db, companyId, id));
    for (const conversation of ids) await eraseConversation(store, companyId, conversation, erasing);
    // If the run is interrupted here, the contact still exists, so the erasure can be repeated.
    await eraseStoredResponsesOf(store, companyId, 'contact', [id], erasing);
    const deliveries = await store.write(async (db) => {
      await lockFieldDefinitionsShared(db, companyId);
      const found = await findContactForUpdate(db, companyId, id);
      // A conversation was opened meanwhile. The next pass of the loop erases it first.
      if ((await listConversationsOf(db, companyId, id)).length > 0) return undefined;
      const events = await eraseAll(db, companyId, 'contact', [id]);
      if (found) await publishErasedContact(db, found, now);
      return events;
    }, companyId);
    if (deliveries === undefined) continue;
    noteErased(erasing, deliveries);
    break;
  }
  erased.contacts += 1;
  if (!claimed) await finishErasure(store, companyId, erasing.claimed, { now, ...waiting });
  return erased;
}

/** Nullable properties that no request writes, set to null. A new one fails to compile until it is set here. */
const unwritten: {
  [Name in keyof Omit<Schemas['Contact'], keyof ContactProperties> as null extends Schemas['Contact'][Name]
    ? Name
    : never]-?: null;
} = { avatar: null };

/** All nullable properties of a contact, set to null. */
const erasedProperties = {
  ...Object.fromEntries(Object.entries(contactDefaults).filter(([, value]) => value === null)),
  ...unwritten,
};

async function publishErasedContact(db: Transaction, found: ContactWithValues, now: number): Promise<void> {
  const deletedAt = notBefore(found.contact, now);
  const { company_id: companyId } = found.contact;
  const contact = presentContact({ contact: { ...found.contact, updated_at: deletedAt }, values: [] });
  const empty = { ...contact, ...erasedProperties };
  await publish(db, { companyId, type: 'contact.deleted', data: async () => empty, now: deletedAt });
}

/**
 * Erases a conversation with its messages. It is soft-deleted first, so that no message can be added.
 * @param mayErase decides whether to erase the conversation, in the transaction of the soft deletion
 */
export async function eraseConversation(
  store: Store,
  companyId: number,
  id: number,
  { mayErase = async () => true, ...erasing }: Erasing & { mayErase?: (db: Database) => Promise<boolean> },
): Promise<void> {
  const isHidden = await store.write(async (db) => {
    // Locks the conversation, so that concurrent writers finish first.
    await findConversationForUpdate(db, companyId, id);
    if (!(await mayErase(db))) return false;
    await updateConversationRow(db, companyId, id, { deleted_at: erasing.now });
    return true;
  }, companyId);
  if (!isHidden) return;
  for (;;) {
    const ids = await store.read((db) => listMessagesOf(db, companyId, [id]));
    if (ids.length === 0) break;
    await eraseMessages(store, companyId, ids, erasing);
  }
  noteErased(erasing, await store.write((db) => eraseAll(db, companyId, 'conversation', [id]), companyId));
  erasing.erased.conversations += 1;
}

interface Erasing {
  /** Milliseconds since 1970. */
  now: number;
  erased: ErasureCounts;
  /** The claimed deliveries among the erased ones. The caller passes them to `finishErasure`. */
  claimed: DeliveryKey[];
}

function noteErased({ erased, claimed }: Erasing, deliveries: ErasedDeliveries): void {
  erased.deliveries += deliveries.count;
  claimed.push(...deliveries.claimed);
}

/** Erases messages with their events, import keys and stored responses. */
export async function eraseMessages(
  store: Store,
  companyId: number,
  ids: readonly number[],
  erasing: Erasing,
): Promise<void> {
  await eraseStoredResponsesOf(store, companyId, 'message', ids, erasing);
  noteErased(erasing, await store.write((db) => eraseAll(db, companyId, 'message', ids), companyId));
  erasing.erased.messages += ids.length;
}

/** Erases entities of one type with their events and import keys. @returns the erased events */
async function eraseAll(
  db: Database,
  companyId: number,
  kind: ErasedType,
  ids: readonly number[],
): Promise<ErasedDeliveries> {
  const deliveries = await eraseDeliveries(db, companyId, kind, ids);
  await eraseImportKeys(db, companyId, kind, ids);
  await eraseRows(db, companyId, kind, ids);
  return deliveries;
}

/** Erases stored responses and their idempotency keys. Clients choose the keys, which may contain personal data. */
async function eraseStoredResponsesOf(
  store: Store,
  companyId: number,
  kind: keyof typeof readOperationOf,
  ids: readonly number[],
  { now, erased }: Erasing,
): Promise<void> {
  if (ids.length === 0) return;
  // The responses of older create requests have been purged. The extra hour allows for clock skew.
  const timestamp = now - idempotencyRetentionMs - 3_600_000;
  const young = await store.read((db) => createdSince(db, companyId, kind, { ids, timestamp }));
  if (young.length === 0) return;
  const locations = new Set(young.map((id) => pathTo(readOperationOf[kind], id)));
  for (let after = ''; ; ) {
    const part = await store.read((db) => listStoredResponses(db, companyId, after));
    const keys = part.filter(({ headers }) => locations.has(locationIn(headers))).map(({ key }) => key);
    await store.write((db) => eraseStoredResponses(db, companyId, keys), companyId);
    erased.responses += keys.length;
    const last = part.at(-1);
    if (!last || part.length < batchSize) return;
    after = last.key;
  }
}

/** Returns the Location in stored headers; empty for encrypted headers, which belong to webhooks. */
function locationIn(headers: string): string {
  try {
    const { Location = '' }: { Location?: string } = JSON.parse(headers);
    return Location;
  } catch {
    return '';
  }
}
