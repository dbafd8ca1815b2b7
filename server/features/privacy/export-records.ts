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
  isDeleted: boolean;
}

export const recordKey = (kind: 'contact' | 'conversation' | 'message', id: number): string =>
  `${kind}-${id}`;

const deletion = (row: { deleted_at: number | null }) =>
  row.deleted_at === null ? {} : { deleted_at: formatTimestamp(row.deleted_at) };

/** Returns the export record of a contact, with its custom-field values by field ID. */
export function contactLine(contact: ContactWithValues): ExportLine {
  const { id, company_id: _company, fields, ...shown } = presentContact(contact);
  const values = fields.map((field) => ({ id: field.id, value: field.value }));
  return {
    line: {
      kind: 'contact',
      key: recordKey('contact', id),
      ...shown,
      fields: values,
      ...deletion(contact.contact),
    },
    isDeleted: contact.contact.deleted_at !== null,
  };
}

/** Returns the export record of a conversation, with the key of its contact's record. */
export function conversationLine(row: ConversationRow): ExportLine {
  const {
    id,
    company_id: _company,
    caller_id,
    messages: _apart,
    deleted_at: _told,
    ...shown
  } = presentConversation(row);
  return {
    line: {
      kind: 'conversation',
      key: recordKey('conversation', id),
      contact: recordKey('contact', caller_id),
      ...shown,
      ...deletion(row),
    },
    isDeleted: row.deleted_at !== null,
  };
}

/** Returns the export record of a message, with the key of its conversation's record. */
export function messageLine(row: MessageRow): ExportLine {
  const { id, conversation_id, deleted_at: _told, ...shown } = presentMessage(row);
  return {
    line: {
      kind: 'message',
      key: recordKey('message', id),
      conversation: recordKey('conversation', conversation_id),
      ...shown,
      ...deletion(row),
    },
    isDeleted: row.deleted_at !== null,
  };
}
