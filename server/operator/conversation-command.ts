import { Command } from 'commander';
import type { ConversationTarget } from '../features/conversations/operator-actions.ts';
import { presentConversation } from '../features/conversations/present.ts';
import type { ConversationRow } from '../storage/queries/conversations.ts';
import type { Transaction } from '../storage/store.ts';
import { action, parseInteger, writeForCompany } from './action.ts';

interface Options {
  company: number;
  conversation: number;
  json?: true;
}

/** Creates a command that runs one action on a conversation. */
export const conversationCommand = (
  { verb, past, about }: { verb: string; past: string; about: string },
  operate: (db: Transaction, location: ConversationTarget) => Promise<ConversationRow>,
): Command =>
  new Command(verb)
    .description(about)
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `\nExample:\n  npm run -s parley -- conversation ${verb} --company 1 --conversation 4`,
    )
    .action(
      action<Options>(async ({ store, now }, { company, conversation: id }) => {
        const row = await writeForCompany(store, company, (db) =>
          operate(db, { companyId: company, id, now: now() }),
        );
        return { text: `Conversation ${id} ${past}.`, json: presentConversation(row) };
      }),
    );
