import { listExistingIds } from '../../storage/queries/bulk.ts';
import { findImportKeys } from '../../storage/queries/import-keys.ts';
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
  const ids = {
    contact: await findImportKeys(db, companyId, 'contact', [...keys.contact]),
    conversation: await findImportKeys(db, companyId, 'conversation', [...keys.conversation]),
    message: await findImportKeys(db, companyId, 'message', [...keys.message]),
  };
  const live = {
    contacts: await listExistingIds(db, 'contacts', companyId, [...contacts, ...ids.contact.values()]),
    conversations: await listExistingIds(db, 'conversations', companyId, [
      ...conversations,
      ...ids.conversation.values(),
    ]),
  };
  return {
    idOf: (kind, key) => ids[kind].get(key),
    isLive: (table, id) => live[table].has(id),
  };
}
