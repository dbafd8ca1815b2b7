import { Command } from 'commander';
import { updateConversationSettings } from '../features/conversations/operator-actions.ts';
import { presentConversation } from '../features/conversations/present.ts';
import { action, parseInteger, UsageError, writeForCompany } from './action.ts';
import { parseSettings, type SettingOptions, withSettings } from './conversation-settings.ts';

interface Options extends SettingOptions {
  company: number;
  conversation: number;
  json?: true;
}

export const conversationUpdate = (): Command =>
  withSettings(
    new Command('update')
      .description('Change the settings of a conversation.')
      .requiredOption('--company <id>', 'company ID', parseInteger(1))
      .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1)),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation update --company 1 --conversation 4 --chatbot-enabled no',
    )
    .action(
      action<Options>(async ({ store, now }, { company, conversation: id, ...options }) => {
        const settings = parseSettings(options);
        if (Object.keys(settings).length === 0)
          throw new UsageError('Give at least one option, such as --chatbot-enabled. See --help.');
        const row = await writeForCompany(store, company, (db) =>
          updateConversationSettings(db, { companyId: company, id, now: now() }, settings),
        );
        return { text: `Conversation ${id} changed.`, json: presentConversation(row) };
      }),
    );
