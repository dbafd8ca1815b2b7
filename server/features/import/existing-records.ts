import { selectRows } from '../../storage/queries/rows.ts';
import type { Database } from '../../storage/store.ts';
import type { ImportRecord, RecordType } from './record.ts';

/** Stored records that the lines of a batch refer to or repeat. */
export interface ExistingRecords {
  /** Returns the ID of the record that was imported with a key; undefined if there is none. */
  idOf: (kind: RecordType, key: string) => number | undefined;
  isLive: (table: 'contacts' | 'conversations', id: number) => boolean;
}

export async function findExistingRecords(
  db: Database,
  companyId: number,
  entries: readonly ImportRecord[],
): Promise<ExistingRecords> {
  const keys = { contact: new Set<string>(), conversation: new Set<string>(), message: new Set<string>() };
  const contacts = new Set<number>();
  const conversations = new Set<number>();
  for (const entry of entries) {
    keys[entry.kind].add(entry.key);
    if (entry.kind === 'conversation') {
      if (entry.contact !== undefined) keys.contact.add(entry.contact);
      if (entry.caller_id !== undefined) contacts.add(entry.caller_id);
    }
    if (entry.kind === 'message') {
      if (entry.conversation !== undefined) keys.conversation.add(entry.conversation);
      if (entry.conversation_id !== undefined) conversations.add(entry.conversation_id);
    }
  }
  const idsOf = async (kind: RecordType) => {
    const known = { company_id: companyId, kind, key: [...keys[kind]] };
    const rows = await selectRows(db, 'import_keys', ['key', 'id'], known);
    return new Map(rows.map(({ key, id }) => [key, id]));
  };
  const liveOf = async (table: 'contacts' | 'conversations', id: readonly number[]) => {
    const rows = await selectRows(db, table, ['id'], { company_id: companyId, id, deleted_at: null });
    return new Set(rows.map((row) => row.id));
  };
  const ids = {
    contact: await idsOf('contact'),
    conversation: await idsOf('conversation'),
    message: await idsOf('message'),
  };
  const live = {
    contacts: await liveOf('contacts', [...contacts, ...ids.contact.values()]),
    conversations: await liveOf('conversations', [...conversations, ...ids.conversation.values()]),
  };
  return {
    idOf: (kind, key) => ids[kind].get(key),
    isLive: (table, id) => live[table].has(id),
  };
}
