import { publish } from '../../delivery/publish.ts';
import { type ContactProperties, contactDefaults } from '../../own-contract/contact-properties.ts';
import type { Schemas } from '../../own-contract/handler.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { lockFieldDefinitionsShared } from '../../storage/locks.ts';
import type { ContactWithValues } from '../../storage/queries/contact-values.ts';
import { findContactForUpdate } from '../../storage/queries/contacts.ts';
import type { Store, Transaction } from '../../storage/store.ts';
import { presentContact } from '../contacts/present.ts';
import { purgeIdempotencyKeys } from '../idempotency.ts';
import {
  type Erasing,
  type ErasureCounts,
  eraseAll,
  eraseParts,
  eraseStoredResponsesOf,
  hasParts,
  noErasures,
  noteErased,
} from './erase-entities.ts';
import { finishErasure, type WaitOptions } from './finish-erasure.ts';

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
  const table = 'contacts';
  await purgeIdempotencyKeys(store, now);
  for (;;) {
    await eraseParts(store, companyId, { table, id }, erasing);
    // If the run is interrupted here, the contact still exists, so the erasure can be repeated.
    await eraseStoredResponsesOf(store, companyId, { table, ids: [id] }, erasing);
    const deliveries = await store.write(async (db) => {
      await lockFieldDefinitionsShared(db, companyId);
      const found = await findContactForUpdate(db, companyId, id);
      // Something was added meanwhile. The next pass of the loop erases it first.
      if (await hasParts(db, companyId, { table, id })) return undefined;
      const events = await eraseAll(db, companyId, { table, ids: [id] });
      if (found) await publishErasedContact(db, found, now);
      return events;
    }, companyId);
    if (deliveries === undefined) continue;
    noteErased(erasing, { table, count: 1, deliveries });
    break;
  }
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
