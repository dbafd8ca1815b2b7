import { openConversation } from '../../features/conversations/open.ts';
import {
  archiveConversation,
  closeConversation,
  forwardConversation,
} from '../../features/conversations/operator-actions.ts';
import { addMessage, type NewMessage } from '../../features/messages/add.ts';
import { markMessageRead } from '../../features/messages/update.ts';
import type { ConversationRow } from '../../storage/queries/conversations.ts';
import type { Transaction } from '../../storage/store.ts';
import { exampleCaller } from './seed-examples.ts';

type Said = readonly ['contact' | 'company', NewMessage['type'], string];

interface Thread {
  service: ConversationRow['service'];
  hoursAgo: number;
  said: readonly Said[];
  /** The state that the operator sets after the last message. */
  since?: 'closed' | 'archived' | 'forwarded';
}

/** Conversations over every channel, with messages of every type. */
const threads: readonly Thread[] = [
  {
    service: 'webchat',
    hoursAgo: 2,
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
    hoursAgo: 5,
    said: [
      ['contact', 'photo', 'https://files.example.com/demo/parcel.jpg'],
      ['contact', 'text', 'The box was open.'],
      ['contact', 'location', 'geo:40.4168,-3.7038'],
    ],
  },
  {
    service: 'telegram',
    hoursAgo: 26,
    said: [
      ['contact', 'sticker', 'waving-cat'],
      ['company', 'emoji', '👋'],
      ['contact', 'video', 'https://files.example.com/demo/rattling.mp4'],
    ],
  },
  {
    service: 'mail',
    hoursAgo: 50,
    said: [
      ['contact', 'text', 'Please send the invoice for March again.'],
      ['company', 'file', 'https://files.example.com/demo/invoice-2031.pdf'],
      ['contact', 'attachment', 'https://files.example.com/demo/signed-invoice-2031.pdf'],
    ],
    since: 'closed',
  },
  {
    service: 'facebook',
    hoursAgo: 75,
    said: [
      ['contact', 'text', 'My neighbour would like to hear from you.'],
      ['contact', 'contact', 'BEGIN:VCARD\nVERSION:4.0\nFN:Sofia Rossi\nEND:VCARD'],
    ],
  },
  {
    service: 'twitter',
    hoursAgo: 400,
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

/** Returns threads like those of the demo company, one for each of the last hours, oldest first. */
export const generatedThreads = (count: number): Thread[] =>
  Array.from({ length: count }, (_, index) => index).flatMap((index) =>
    threads
      .slice(index % threads.length)
      .slice(0, 1)
      .map((thread) => ({ ...thread, hoursAgo: count - index })),
  );

/**
 * Creates conversations with the contacts in turn. They look as if created over a few days of use.
 * @param these oldest first
 */
export async function seedConversations(
  db: Transaction,
  companyId: number,
  contactIds: readonly number[],
  now: number,
  these: readonly Thread[] = threads.toReversed(),
): Promise<void> {
  for (const [index, { service, hoursAgo, said, since }] of these.entries()) {
    const callerId = contactIds[index % contactIds.length] ?? 0;
    let clock = now - hoursAgo * hourMs;
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
