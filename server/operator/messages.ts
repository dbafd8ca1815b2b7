import { Option } from 'commander';
import { receiveMessage } from '../features/messages/add.ts';
import { presentMessage } from '../features/messages/present.ts';
import { deleteMessage, editMessage, markMessageRead } from '../features/messages/update.ts';
import { messageTypes } from '../own-contract/constants.ts';
import type { MessageRow } from '../storage/queries/messages.ts';
import { command, type Ids } from './command.ts';
import { writeForCompany } from './context.ts';
import { readPayload, requireOne } from './options.ts';

export const messageReceive = command<Ids<'company' | 'conversation'> & Pick<MessageRow, 'type' | 'payload'>>(
  {
    name: 'message receive',
    about: 'Store a message from the contact, as a channel does.',
    of: ['company', 'conversation'],
    options: (receive) =>
      receive
        .requiredOption('--payload <text>', 'payload; - reads it from standard input')
        .addOption(new Option('--type <type>', 'type of the payload').choices(messageTypes).default('text')),
    examples: ["message receive --company 1 --conversation 4 --payload 'Where is my order?'"],
    async run({ store, now }, { company, conversation: id, type, payload: given }) {
      const payload = await readPayload(given);
      const row = await writeForCompany(store, company, (db) =>
        receiveMessage(db, company, { conversation_id: id, type, payload }, now()),
      );
      return { text: `Message ${row.id} received in conversation ${id}.`, json: presentMessage(row) };
    },
  },
);

export const messageUpdate = command<
  Ids<'company' | 'message'> & { payload?: string; read?: true; deleted?: true }
>({
  name: 'message update',
  about: 'Change the payload of a message, mark it as read, or delete (hide) it.',
  of: ['company', 'message'],
  options: (update) =>
    update
      .option('--payload <text>', 'new payload; - reads it from standard input')
      .option('--read', 'mark the message as read, like a read receipt of the channel')
      .option('--deleted', 'delete the message: it is hidden everywhere'),
  examples: [
    "message update --company 1 --message 9 --payload 'Where are my orders?'",
    'message update --company 1 --message 9 --read',
  ],
  async run({ store, now }, { company, message: id, payload: given, read, deleted }) {
    requireOne({ '--payload': given, '--read': read, '--deleted': deleted });
    const payload = given === undefined ? undefined : await readPayload(given);
    const row = await writeForCompany(store, company, (db) => {
      const target = { companyId: company, id, now: now() };
      if (payload !== undefined) return editMessage(db, target, payload);
      return (read ? markMessageRead : deleteMessage)(db, target);
    });
    const done = read ? 'marked as read' : deleted ? 'deleted' : 'changed';
    return { text: `Message ${id} ${done}.`, json: presentMessage(row) };
  },
});
