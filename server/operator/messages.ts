import { Command, Option } from 'commander';
import { presentMessage } from '../features/messages/present.ts';
import { receiveMessage } from '../features/messages/receive.ts';
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
import { parseInteger, readPayload } from './options.ts';

/** Creates a command that runs one action on a message. */
const messageCommand = (
  { verb, past, about }: { verb: string; past: string; about: string },
  change: (db: Transaction, location: MessageTarget) => Promise<MessageRow>,
): Command =>
  new Command(verb)
    .description(about)
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--message <id>', 'message ID', parseInteger(1))
    .addHelpText('after', `\nExample:\n  npm run -s parley -- message ${verb} --company 1 --message 9`)
    .action(
      action<{ company: number; message: number }>(async ({ store, now }, { company, message: id }) => {
        const row = await writeForCompany(store, company, (db) =>
          change(db, { companyId: company, id, now: now() }),
        );
        return { text: `Message ${id} ${past}.`, json: presentMessage(row) };
      }),
    );

interface MessageReceiveOptions {
  company: number;
  conversation: number;
  type: MessageRow['type'];
  payload: string;
}

export const messageReceive = (): Command =>
  new Command('receive')
    .description('Store a message from the contact, as a channel does.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1))
    .requiredOption('--payload <text>', 'payload; - reads it from standard input')
    .addOption(new Option('--type <type>', 'type of the payload').choices(messageTypes).default('text'))
    .addHelpText(
      'after',
      "\nExample:\n  npm run -s parley -- message receive --company 1 --conversation 4 --payload 'Where is my order?'",
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

interface MessageEditOptions {
  company: number;
  message: number;
  payload: string;
}

export const messageEdit = (): Command =>
  new Command('edit')
    .description('Change the payload of a message.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--message <id>', 'message ID', parseInteger(1))
    .requiredOption('--payload <text>', 'new payload; - reads it from standard input')
    .addHelpText(
      'after',
      "\nExample:\n  npm run -s parley -- message edit --company 1 --message 9 --payload 'Where are my orders?'",
    )
    .action(
      action<MessageEditOptions>(async ({ store, now }, { company, message: id, payload: given }) => {
        const payload = await readPayload(given);
        const row = await writeForCompany(store, company, (db) =>
          editMessage(db, { companyId: company, id, now: now() }, payload),
        );
        return { text: `Message ${id} edited.`, json: presentMessage(row) };
      }),
    );

export const messageMarkRead = (): Command =>
  messageCommand(
    {
      verb: 'mark-read',
      past: 'marked as read',
      about: 'Mark a message as read, like a read receipt of the channel.',
    },
    markMessageRead,
  );

export const messageDelete = (): Command =>
  messageCommand(
    {
      verb: 'delete',
      past: 'deleted',
      about: 'Delete a message: it is hidden everywhere.',
    },
    deleteMessage,
  );
