import { Command, Option } from 'commander';
import { openConversation } from '../features/conversations/open.ts';
import { presentConversation } from '../features/conversations/present.ts';
import { conversationServices } from '../own-contract/constants.ts';
import type { ConversationRow } from '../storage/queries/conversations.ts';
import { action, parseInteger, writeForCompany } from './action.ts';
import { parseSettings, type SettingOptions, withSettings } from './conversation-settings.ts';

interface Options extends SettingOptions {
  company: number;
  contact: number;
  service: ConversationRow['service'];
  json?: true;
}

export const conversationOpen = (): Command =>
  withSettings(
    new Command('open')
      .description('Open a conversation with a contact.')
      .requiredOption('--company <id>', 'company ID', parseInteger(1))
      .requiredOption('--contact <id>', 'contact ID', parseInteger(1))
      .addOption(
        new Option('--service <service>', 'channel').choices(conversationServices).makeOptionMandatory(),
      ),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation open --company 1 --contact 4 --service webchat',
    )
    .action(
      action<Options>(async ({ store, now }, { company, contact, service, ...options }) => {
        const row = await writeForCompany(store, company, (db) =>
          openConversation(db, company, { caller_id: contact, service, ...parseSettings(options) }, now()),
        );
        return {
          text: `Conversation ${row.id} opened with contact ${contact} over ${service}.`,
          json: presentConversation(row),
        };
      }),
    );
