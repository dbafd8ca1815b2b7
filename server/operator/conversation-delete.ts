import { Command } from 'commander';
import { deleteConversation } from '../conversations/operate.ts';
import { presentConversation } from '../conversations/present.ts';
import { action, changeIn, wholeNumber } from './run.ts';

interface Options {
  company: number;
  conversation: number;
  json?: true;
}

export const conversationDelete = (): Command =>
  new Command('delete')
    .description('Delete a conversation: it and its messages are hidden everywhere.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--conversation <id>', 'the conversation', wholeNumber(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation delete --company 1 --conversation 4',
    )
    .action(
      action<Options>(async ({ store, now }, { company, conversation: id }) => {
        const row = await changeIn(store, company, (db) =>
          deleteConversation(db, { companyId: company, id, now: now() }),
        );
        return { text: `Conversation ${id} deleted.`, json: presentConversation(row) };
      }),
    );
