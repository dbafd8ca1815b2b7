import { Command, Option } from 'commander';
import { presentMessage } from '../features/messages/present.ts';
import { receiveMessage } from '../features/messages/receive.ts';
import { messageTypes } from '../own-contract/constants.ts';
import type { MessageRow } from '../storage/queries/messages.ts';
import { action, parseInteger, writeForCompany } from './action.ts';
import { readPayload } from './read-payload.ts';

interface Options {
  company: number;
  conversation: number;
  type: MessageRow['type'];
  payload: string;
  json?: true;
}

export const messageReceive = (): Command =>
  new Command('receive')
    .description('Store a message from the contact, as a channel does.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1))
    .requiredOption('--payload <text>', 'payload; - reads it from standard input')
    .addOption(new Option('--type <type>', 'type of the payload').choices(messageTypes).default('text'))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExample:\n  npm run -s parley -- message receive --company 1 --conversation 4 --payload 'Where is my order?'",
    )
    .action(
      action<Options>(async ({ store, now }, { company, conversation: id, type, payload: given }) => {
        const payload = await readPayload(given);
        const row = await writeForCompany(store, company, (db) =>
          receiveMessage(db, company, { conversation_id: id, type, payload }, now()),
        );
        return { text: `Message ${row.id} received in conversation ${id}.`, json: presentMessage(row) };
      }),
    );
