import { listCompanies } from '../../storage/queries/companies.ts';
import { findConversation } from '../../storage/queries/conversations.ts';
import {
  type Aging,
  batchSize,
  type ErasedType,
  lastMessageChangeAt,
  listAging,
} from '../../storage/queries/erasure.ts';
import type { DeliveryKey } from '../../storage/queue-types.ts';
import type { Store } from '../../storage/store.ts';
import { purgeIdempotencyKeys } from '../idempotency.ts';
import {
  type ErasureCounts,
  eraseContact,
  eraseConversation,
  eraseMessages,
  noErasures,
} from './erase-contact.ts';
import { finishErasure } from './finish-erasure.ts';

/** Retention periods in days; null keeps data forever. */
export interface Retention {
  retentionDeletedDays: number | null;
  retentionClosedDays: number | null;
}

const dayMs = 86_400_000;

/**
 * Erases data whose retention period has ended, for all companies: deleted data, and closed conversations without
 * activity. It reads all contacts, conversations and messages, so the service runs it only once a day.
 * @param now milliseconds since 1970
 */
export async function eraseExpired(store: Store, keep: Retention, now: number): Promise<ErasureCounts> {
  const erased = noErasures();
  const before = (days: number | null) => (days === null ? Number.NEGATIVE_INFINITY : now - days * dayMs);
  const deleted = before(keep.retentionDeletedDays);
  const closed = before(keep.retentionClosedDays);
  if (keep.retentionDeletedDays === null && keep.retentionClosedDays === null) return erased;

  await purgeIdempotencyKeys(store, now);
  for (const { id: companyId } of await store.read(listCompanies)) {
    const claimed: DeliveryKey[] = [];
    // Contacts first, because their conversations are erased with them.
    const contacts = await expired(store, companyId, 'contact', (row) => isDeleted(row, deleted));
    for (const id of contacts) await eraseContact(store, companyId, id, { now, erased, claimed });
    const conversations = await expired(
      store,
      companyId,
      'conversation',
      async (row) => isDeleted(row, deleted) || (await isInactive(store, companyId, row, closed)),
    );
    for (const id of conversations)
      await eraseConversation(store, companyId, id, {
        now,
        erased,
        claimed,
        // The conversation may have been reopened since it was listed.
        async mayErase(db) {
          const row = await findConversation(db, companyId, id);
          return (
            !row || (isClosedSince(row, closed) && (await lastMessageChangeAt(db, companyId, id)) < closed)
          );
        },
      });
    const messages = await expired(store, companyId, 'message', (row) => isDeleted(row, deleted));
    for (let at = 0; at < messages.length; at += batchSize)
      await eraseMessages(store, companyId, messages.slice(at, at + batchSize), { now, erased, claimed });
    if (claimed.length > 0) await finishErasure(store, companyId, claimed, { now });
  }
  // Runs even if nothing has expired now, because the previous run may have been interrupted before this step.
  await store.purgeDeleted();
  return erased;
}

const isDeleted = ({ deleted_at }: Aging, timestamp: number): boolean =>
  deleted_at !== null && deleted_at < timestamp;

async function isInactive(store: Store, companyId: number, row: Aging, timestamp: number): Promise<boolean> {
  return (
    isClosedSince(row, timestamp) &&
    (await store.read((db) => lastMessageChangeAt(db, companyId, row.id))) < timestamp
  );
}

const isClosedSince = (
  { is_closed, updated_at }: Pick<Aging, 'is_closed' | 'updated_at'>,
  timestamp: number,
) => is_closed === 1 && updated_at < timestamp;

async function expired(
  store: Store,
  companyId: number,
  kind: ErasedType,
  isExpired: (row: Aging) => boolean | Promise<boolean>,
): Promise<number[]> {
  const ids: number[] = [];
  for (let after = 0; ; ) {
    const part = await store.read((db) => listAging(db, companyId, kind, after));
    for (const row of part) if (await isExpired(row)) ids.push(row.id);
    const last = part.at(-1);
    if (!last || part.length < batchSize) return ids;
    after = last.id;
  }
}
