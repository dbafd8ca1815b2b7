import { Command, Option } from 'commander';
import { services } from '../contract/constants.ts';
import { openConversation } from '../features/conversations/open.ts';
import { presentConversation } from '../features/conversations/present.ts';
import type { ConversationRow } from '../storage/queries/conversations.ts';
import { action, changeIn, wholeNumber } from './action.ts';
import { type SettingOptions, settingsFrom, withSettings } from './conversation-settings.ts';

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
      .requiredOption('--company <id>', 'the company', wholeNumber(1))
      .requiredOption('--contact <id>', 'the contact', wholeNumber(1))
      .addOption(new Option('--service <service>', 'the channel').choices(services).makeOptionMandatory()),
  )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation open --company 1 --contact 4 --service webchat',
    )
    .action(
      action<Options>(async ({ store, now }, { company, contact, service, ...options }) => {
        const row = await changeIn(store, company, (db) =>
          openConversation(db, company, { caller_id: contact, service, ...settingsFrom(options) }, now()),
        );
        return {
          text: `Conversation ${row.id} opened with contact ${contact} over ${service}.`,
          json: presentConversation(row),
        };
      }),
    );
