import { Command } from 'commander';
import { closeConversation } from '../conversations/operate.ts';
import { presentConversation } from '../conversations/present.ts';
import { action, changeIn, wholeNumber } from './run.ts';

interface Options {
  company: number;
  conversation: number;
  json?: true;
}

export const conversationClose = (): Command =>
  new Command('close')
    .description('Close a conversation. A new message opens it again.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--conversation <id>', 'the conversation', wholeNumber(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation close --company 1 --conversation 4',
    )
    .action(
      action<Options>(async ({ store, now }, { company, conversation: id }) => {
        const row = await changeIn(store, company, (db) =>
          closeConversation(db, { companyId: company, id, now: now() }),
        );
        return { text: `Conversation ${id} closed.`, json: presentConversation(row) };
      }),
    );
