import { formatTimestamp } from '../../own-contract/timestamp.ts';
import type { ContactWithValues } from '../../storage/queries/contact-values.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import type { MessageRow } from '../../storage/queries/messages.ts';
import { presentContact } from '../contacts/present.ts';
import { presentConversation } from '../conversations/present.ts';
import { presentMessage } from '../messages/present.ts';

/** A record of an export in the import format, and whether it is deleted. */
export interface ExportLine {
  line: object;
  id: number;
  /** The ID of the row that it belongs to; 0 for contacts. */
  parentId: number;
  isDeleted: boolean;
}

const keyOf = (kind: 'contact' | 'conversation' | 'message', id: number): string => `${kind}-${id}`;

const record = (
  kind: Parameters<typeof keyOf>[0],
  { id, deleted_at }: { id: number; deleted_at: number | null },
  shown: object,
  parentId = 0,
): ExportLine => {
  const isDeleted = deleted_at !== null;
  const deletion = isDeleted ? { deleted_at: formatTimestamp(deleted_at) } : {};
  return { line: { kind, key: keyOf(kind, id), ...shown, ...deletion }, id, parentId, isDeleted };
};

/** Returns the export record of a contact, with its custom-field values by field ID. */
export function contactLine(contact: ContactWithValues): ExportLine {
  const { id: _id, company_id: _company, fields, ...shown } = presentContact(contact);
  return record('contact', contact.contact, {
    ...shown,
    fields: fields.map((field) => ({ id: field.id, value: field.value })),
  });
}

/** Returns the export record of a conversation, with the key of its contact's record. */
export function conversationLine(row: ConversationRow): ExportLine {
  const { id: _id, company_id: _company, caller_id, messages: _apart, ...shown } = presentConversation(row);
  const { deleted_at: _told, ...others } = shown;
  return record('conversation', row, { contact: keyOf('contact', caller_id), ...others }, caller_id);
}

/** Returns the export record of a message, with the key of its conversation's record. */
export function messageLine(row: MessageRow): ExportLine {
  const { id: _id, conversation_id, deleted_at: _told, ...shown } = presentMessage(row);
  const conversation = keyOf('conversation', conversation_id);
  return record('message', row, { conversation, ...shown }, conversation_id);
}
