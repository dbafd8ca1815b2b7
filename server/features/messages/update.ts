import { notBefore } from '../../contract/timestamp.ts';
import { missing } from '../../errors.ts';
import { changesBetween, publish } from '../../events/publish.ts';
import { holdMessage, type MessageRow, updateMessage } from '../../storage/queries/messages.ts';
import type { Database } from '../../storage/store.ts';
import { presentMessage } from './present.ts';
import { bytesOf, refuseUnfit } from './rules.ts';

export interface Place {
  companyId: number;
  id: number;
  /** Milliseconds since 1970. */
  now: number;
}

/** Gives a message another payload. @throws Refused where there is no such message */
export const editMessage = (db: Database, place: Place, payload: string): Promise<MessageRow> =>
  changeMessage(db, place, { payload, payload_bytes: bytesOf(payload) });

/** Marks a message as read, as a channel's receipt does (D38). @throws Refused where there is no such message */
export const readMessage = (db: Database, place: Place): Promise<MessageRow> =>
  changeMessage(db, place, { read: 1, new: 0 });

/** Hides a message (D39). @throws Refused where there is no such message */
export async function deleteMessage(db: Database, { companyId, id, now }: Place): Promise<MessageRow> {
  const row = await liveMessage(db, companyId, id);
  const deletedAt = notBefore(row, now);
  const moments = { deleted_at: deletedAt, updated_at: deletedAt };
  const last = { ...row, ...moments };
  await updateMessage(db, companyId, id, moments);
  await publish(db, {
    companyId,
    type: 'message.deleted',
    data: async () => presentMessage(last),
    now: deletedAt,
  });
  return last;
}

async function changeMessage(
  db: Database,
  { companyId, id, now }: Place,
  change: Partial<Pick<MessageRow, 'payload' | 'payload_bytes' | 'read' | 'new'>>,
): Promise<MessageRow> {
  const row = await liveMessage(db, companyId, id);
  const changedAt = notBefore(row, now);
  const after = { ...row, ...change, updated_at: changedAt };
  const changed = changesBetween(presentMessage(row), presentMessage(after));
  if (changed.length === 0) return row;
  refuseUnfit(after);
  await updateMessage(db, companyId, id, { ...change, updated_at: changedAt });
  await publish(db, {
    companyId,
    type: 'message.updated',
    data: async () => presentMessage(after),
    changed,
    now: changedAt,
  });
  return after;
}

async function liveMessage(db: Database, companyId: number, id: number): Promise<MessageRow> {
  const row = await holdMessage(db, companyId, id);
  if (row) return row;
  throw missing(companyId, 'message', id);
}
