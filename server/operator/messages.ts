import { type Command, Option } from 'commander';
import { receiveMessage } from '../features/messages/add.ts';
import { presentMessage } from '../features/messages/present.ts';
import {
  deleteMessage,
  editMessage,
  type MessageTarget,
  markMessageRead,
} from '../features/messages/update.ts';
import { messageTypes } from '../own-contract/constants.ts';
import type { MessageRow } from '../storage/queries/messages.ts';
import type { Transaction } from '../storage/store.ts';
import { action, writeForCompany } from './action.ts';
import { companyCommand, example, readPayload, requireOne } from './options.ts';

interface MessageReceiveOptions {
  company: number;
  conversation: number;
  type: MessageRow['type'];
  payload: string;
}

export const messageReceive = (): Command =>
  companyCommand('receive', 'Store a message from the contact, as a channel does.', 'conversation')
    .requiredOption('--payload <text>', 'payload; - reads it from standard input')
    .addOption(new Option('--type <type>', 'type of the payload').choices(messageTypes).default('text'))
    .addHelpText(
      'after',
      example("message receive --company 1 --conversation 4 --payload 'Where is my order?'"),
    )
    .action(
      action<MessageReceiveOptions>(
        async ({ store, now }, { company, conversation: id, type, payload: given }) => {
          const payload = await readPayload(given);
          const row = await writeForCompany(store, company, (db) =>
            receiveMessage(db, company, { conversation_id: id, type, payload }, now()),
          );
          return { text: `Message ${row.id} received in conversation ${id}.`, json: presentMessage(row) };
        },
      ),
    );

interface MessageUpdateOptions {
  company: number;
  message: number;
  payload?: string;
  read?: true;
  deleted?: true;
}

export const messageUpdate = (): Command =>
  companyCommand(
    'update',
    'Change the payload of a message, mark it as read, or delete (hide) it.',
    'message',
  )
    .option('--payload <text>', 'new payload; - reads it from standard input')
    .option('--read', 'mark the message as read, like a read receipt of the channel')
    .option('--deleted', 'delete the message: it is hidden everywhere')
    .addHelpText(
      'after',
      "\nExamples:\n  npm run -s parley -- message update --company 1 --message 9 --payload 'Where are my orders?'\n" +
        '  npm run -s parley -- message update --company 1 --message 9 --read',
    )
    .action(
      action<MessageUpdateOptions>(async ({ store, now }, { company, message: id, ...options }) => {
        const { done, update } = await changeOf(options);
        const row = await writeForCompany(store, company, (db) =>
          update(db, { companyId: company, id, now: now() }),
        );
        return { text: `Message ${id} ${done}.`, json: presentMessage(row) };
      }),
    );

interface MessageChange {
  /** The participle that completes "Message 9 …". */
  done: string;
  update: (db: Transaction, target: MessageTarget) => Promise<MessageRow>;
}

async function changeOf({
  payload: given,
  read,
  deleted,
}: Omit<MessageUpdateOptions, 'company' | 'message'>): Promise<MessageChange> {
  requireOne({ '--payload': given, '--read': read, '--deleted': deleted });
  if (read) return { done: 'marked as read', update: markMessageRead };
  if (given === undefined) return { done: 'deleted', update: deleteMessage };
  const payload = await readPayload(given);
  return { done: 'changed', update: (db, target) => editMessage(db, target, payload) };
}
