import { notFoundError } from '../../errors.ts';
import { notBefore } from '../../own-contract/timestamp.ts';
import { assertValid } from '../../own-contract/validate.ts';
import { findMessageForUpdate, type MessageRow } from '../../storage/queries/messages.ts';
import type { Transaction } from '../../storage/store.ts';
import { changeEntity } from '../change-entity.ts';
import { payloadBytes } from './add.ts';
import { presentMessage } from './present.ts';

export interface MessageTarget {
  companyId: number;
  id: number;
  /** Milliseconds since 1970. */
  now: number;
}

/** Replaces the payload of a message. @throws ApiError if the message does not exist or the payload is invalid */
export const editMessage = (db: Transaction, target: MessageTarget, payload: string): Promise<MessageRow> =>
  changeMessage(db, target, 'message.updated', () => ({ payload, payload_bytes: payloadBytes(payload) }));

/** Marks a message as read, as a channel's read receipt does (D38). @throws ApiError if it does not exist */
export const markMessageRead = (db: Transaction, target: MessageTarget): Promise<MessageRow> =>
  changeMessage(db, target, 'message.updated', () => ({ read: 1, new: 0 }));

/** Deletes a message (soft delete, D39). @throws ApiError if it does not exist */
export const deleteMessage = (db: Transaction, target: MessageTarget): Promise<MessageRow> =>
  changeMessage(db, target, 'message.deleted', (at) => ({ deleted_at: at }));

async function changeMessage(
  db: Transaction,
  { companyId, id, now }: MessageTarget,
  type: 'message.updated' | 'message.deleted',
  changeAt: (at: number) => Partial<MessageRow>,
): Promise<MessageRow> {
  const row = await findMessageForUpdate(db, companyId, id);
  if (!row) throw notFoundError(companyId, 'message', id);
  const change = changeAt(notBefore(row, now));
  if (type === 'message.updated') assertValid('Message', presentMessage({ ...row, ...change }));
  return changeEntity(db, row, change, { table: 'messages', type, present: presentMessage, now });
}
