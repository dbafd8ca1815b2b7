import { changedProperties, publish } from '../../delivery/publish.ts';
import { notFoundError } from '../../errors.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { findMessageForUpdate, type MessageRow, updateMessageRow } from '../../storage/queries/messages.ts';
import type { Database, Transaction } from '../../storage/store.ts';
import { presentMessage } from './present.ts';
import { assertValidMessage, payloadBytes } from './rules.ts';

export interface MessageTarget {
  companyId: number;
  id: number;
  /** Milliseconds since 1970. */
  now: number;
}

/** Replaces the payload of a message. @throws ApiError if the message does not exist or the payload is invalid */
export const editMessage = (db: Transaction, location: MessageTarget, payload: string): Promise<MessageRow> =>
  applyMessageUpdate(db, location, { payload, payload_bytes: payloadBytes(payload) });

/** Marks a message as read, as a channel's read receipt does (D38). @throws ApiError if it does not exist */
export const markMessageRead = (db: Transaction, location: MessageTarget): Promise<MessageRow> =>
  applyMessageUpdate(db, location, { read: 1, new: 0 });

/** Deletes a message (soft delete, D39). @throws ApiError if it does not exist */
export async function deleteMessage(
  db: Transaction,
  { companyId, id, now }: MessageTarget,
): Promise<MessageRow> {
  const row = await requireMessage(db, companyId, id);
  const deletedAt = notBefore(row, now);
  const timestamps = { deleted_at: deletedAt, updated_at: deletedAt };
  const last = { ...row, ...timestamps };
  await updateMessageRow(db, companyId, id, timestamps);
  await publish(db, {
    companyId,
    type: 'message.deleted',
    data: async () => presentMessage(last),
    now: deletedAt,
  });
  return last;
}

async function applyMessageUpdate(
  db: Transaction,
  { companyId, id, now }: MessageTarget,
  change: Partial<Pick<MessageRow, 'payload' | 'payload_bytes' | 'read' | 'new'>>,
): Promise<MessageRow> {
  const row = await requireMessage(db, companyId, id);
  const changedAt = notBefore(row, now);
  const after = { ...row, ...change, updated_at: changedAt };
  const changed = changedProperties(presentMessage(row), presentMessage(after));
  if (changed.length === 0) return row;
  assertValidMessage(after);
  await updateMessageRow(db, companyId, id, { ...change, updated_at: changedAt });
  await publish(db, {
    companyId,
    type: 'message.updated',
    data: async () => presentMessage(after),
    changed,
    now: changedAt,
  });
  return after;
}

async function requireMessage(db: Database, companyId: number, id: number): Promise<MessageRow> {
  const row = await findMessageForUpdate(db, companyId, id);
  if (row) return row;
  throw notFoundError(companyId, 'message', id);
}
