import { Command } from 'commander';
import { archiveConversation } from '../conversations/operate.ts';
import { presentConversation } from '../conversations/present.ts';
import { action, changeIn, wholeNumber } from './run.ts';

interface Options {
  company: number;
  conversation: number;
  json?: true;
}

export const conversationArchive = (): Command =>
  new Command('archive')
    .description('Put a conversation into the archive. A new message takes it out again.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--conversation <id>', 'the conversation', wholeNumber(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation archive --company 1 --conversation 4',
    )
    .action(
      action<Options>(async ({ store, now }, { company, conversation: id }) => {
        const row = await changeIn(store, company, (db) =>
          archiveConversation(db, { companyId: company, id, now: now() }),
        );
        return { text: `Conversation ${id} archived.`, json: presentConversation(row) };
      }),
    );
