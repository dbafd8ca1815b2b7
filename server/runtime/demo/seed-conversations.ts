import { openConversation } from '../../features/conversations/open.ts';
import {
  archiveConversation,
  closeConversation,
  forwardConversation,
} from '../../features/conversations/update.ts';
import { addMessage, type NewMessage } from '../../features/messages/add.ts';
import { markMessageRead } from '../../features/messages/update.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import type { Transaction } from '../../storage/store.ts';
import { exampleCaller } from './seed-examples.ts';

type Said = readonly ['contact' | 'company', NewMessage['type'], string];

interface Thread {
  service: ConversationRow['service'];
  said: readonly Said[];
  /** The state that the operator sets after the last message. */
  since?: 'closed' | 'archived' | 'forwarded';
}

/** Conversations over every channel, with messages of every type. */
const threads: readonly Thread[] = [
  {
    service: 'webchat',
    said: [
      ['contact', 'activity', 'opened the chat on /orders'],
      ['contact', 'typing', '…'],
      ['contact', 'text', 'Hello, where is my order 88213?'],
      ['company', 'text', 'It ships today.'],
    ],
    since: 'forwarded',
  },
  {
    service: 'whatsapp',
    said: [
      ['contact', 'photo', 'https://files.example.com/demo/parcel.jpg'],
      ['contact', 'text', 'The box was open.'],
      ['contact', 'location', 'geo:40.4168,-3.7038'],
    ],
  },
  {
    service: 'telegram',
    said: [
      ['contact', 'sticker', 'waving-cat'],
      ['company', 'emoji', '👋'],
      ['contact', 'video', 'https://files.example.com/demo/rattling.mp4'],
    ],
  },
  {
    service: 'mail',
    said: [
      ['contact', 'text', 'Please send the invoice for March again.'],
      ['company', 'file', 'https://files.example.com/demo/invoice-2031.pdf'],
      ['contact', 'attachment', 'https://files.example.com/demo/signed-invoice-2031.pdf'],
    ],
    since: 'closed',
  },
  {
    service: 'facebook',
    said: [
      ['contact', 'text', 'My neighbour would like to hear from you.'],
      ['contact', 'contact', 'BEGIN:VCARD\nVERSION:4.0\nFN:Sofia Rossi\nEND:VCARD'],
    ],
  },
  {
    service: 'twitter',
    said: [
      ['contact', 'text', 'Love the new colours!'],
      ['company', 'text', 'Thank you!'],
    ],
    since: 'archived',
  },
];

const hourMs = 3_600_000;
const { userId } = exampleCaller;
const teamId = 1;

/**
 * Creates a conversation with each of the first contacts, the last one an hour ago, and each of the others an hour before the
 * next. They look like those of a few days of use.
 */
export async function seedConversations(
  db: Transaction,
  companyId: number,
  contactIds: readonly number[],
  now: number,
): Promise<void> {
  for (const [index, callerId] of contactIds.entries()) {
    const thread = threads[index];
    if (!thread) return;
    const { service, said, since } = thread;
    let clock = now - (threads.length - index) * hourMs;
    const opened = { caller_id: callerId, service, ...(service === 'webchat' ? webchat(callerId) : {}) };
    let conversation = await openConversation(db, companyId, opened, clock);
    for (const [who, type, payload] of said) {
      clock += 40_000;
      const user_id = who === 'company' ? userId : null;
      const message = await addMessage(db, conversation, { user_id, type, payload }, clock);
      if (user_id !== null) conversation = { ...conversation, new: 0 };
      if (since) await markMessageRead(db, { companyId, id: message.id, now: clock + 5_000 });
    }
    const at = { companyId, id: conversation.id, now: clock + 60_000 };
    if (since === 'closed') await closeConversation(db, at);
    if (since === 'archived') await archiveConversation(db, at);
    if (since === 'forwarded') await forwardConversation(db, at, { team: teamId });
  }
}

const webchat = (contactId: number) => ({
  webchat_socket_channel: `chat-${contactId}`,
  chatbot_enabled: 1 as const,
  no_matches_count: 1,
});
