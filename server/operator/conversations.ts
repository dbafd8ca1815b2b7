import { Command, Option } from 'commander';
import { type ConversationSettings, openConversation } from '../features/conversations/open.ts';
import {
  archiveConversation,
  type ConversationTarget,
  closeConversation,
  deleteConversation,
  forwardConversation,
  updateConversationSettings,
} from '../features/conversations/operator-actions.ts';
import { presentConversation } from '../features/conversations/present.ts';
import { conversationServices } from '../own-contract/constants.ts';
import type { ConversationRow } from '../storage/queries/conversations.ts';
import type { Transaction } from '../storage/store.ts';
import { action, UsageError, writeForCompany } from './action.ts';
import { parseBoolean, parseInteger } from './options.ts';

interface ConversationOptions {
  company: number;
  conversation: number;
}

/** Creates a command that runs one action on a conversation. */
const conversationCommand = (
  { verb, past, about }: { verb: string; past: string; about: string },
  operate: (db: Transaction, location: ConversationTarget) => Promise<ConversationRow>,
): Command =>
  new Command(verb)
    .description(about)
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1))
    .addHelpText(
      'after',
      `\nExample:\n  npm run -s parley -- conversation ${verb} --company 1 --conversation 4`,
    )
    .action(
      action<ConversationOptions>(async ({ store, now }, { company, conversation: id }) => {
        const row = await writeForCompany(store, company, (db) =>
          operate(db, { companyId: company, id, now: now() }),
        );
        return { text: `Conversation ${id} ${past}.`, json: presentConversation(row) };
      }),
    );

/** The command-line options for a conversation's settings (D11). */
interface SettingOptions {
  user?: number | 'none';
  team?: number | 'none';
  webchatSocketChannel?: string;
  chatbotEnabled?: 0 | 1;
  unmatched?: number;
  outOfOfficeReplied?: 0 | 1;
}

const withSettings = (command: Command): Command =>
  command
    .option('--user <number>', 'ID of the responsible user; none removes the user', orNone)
    .option('--team <number>', 'ID of the responsible team; none removes the team', orNone)
    .option('--webchat-socket-channel <name>', 'socket channel of a web chat; none removes it')
    .option('--chatbot-enabled <yes|no>', 'whether a chatbot may reply: yes or no', parseBoolean)
    .option(
      '--unmatched <count>',
      'no_matches_count: number of messages without a chatbot reply',
      parseInteger(0, 2_147_483_647),
    )
    .option(
      '--out-of-office-replied <yes|no>',
      'whether the contact was notified that no agent is available: yes or no',
      parseBoolean,
    );

const none = 'none';

const orNone = (text: string): number | typeof none => (text === none ? none : parseInteger(1)(text));

const withoutNone = <T>(given: T | typeof none): T | null => (given === none ? null : given);

/** Returns the given settings, by their names in the API. */
function parseSettings(options: SettingOptions): Partial<ConversationSettings> {
  const given = {
    user_id: withoutNone(options.user),
    team_id: withoutNone(options.team),
    webchat_socket_channel: withoutNone(options.webchatSocketChannel),
    chatbot_enabled: options.chatbotEnabled,
    no_matches_count: options.unmatched,
    out_of_office_replied: options.outOfOfficeReplied,
  };
  // Omits options that were not given. The cast is needed because `fromEntries` returns a type without property names.
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<ConversationSettings>;
}

interface ConversationOpenOptions extends SettingOptions {
  company: number;
  contact: number;
  service: ConversationRow['service'];
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
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation open --company 1 --contact 4 --service webchat',
    )
    .action(
      action<ConversationOpenOptions>(async ({ store, now }, { company, contact, service, ...options }) => {
        const row = await writeForCompany(store, company, (db) =>
          openConversation(db, company, { caller_id: contact, service, ...parseSettings(options) }, now()),
        );
        return {
          text: `Conversation ${row.id} opened with contact ${contact} over ${service}.`,
          json: presentConversation(row),
        };
      }),
    );

interface ConversationUpdateOptions extends SettingOptions {
  company: number;
  conversation: number;
}

export const conversationUpdate = (): Command =>
  withSettings(
    new Command('update')
      .description('Change the settings of a conversation.')
      .requiredOption('--company <id>', 'company ID', parseInteger(1))
      .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1)),
  )
    .addHelpText(
      'after',
      '\nExample:\n  npm run -s parley -- conversation update --company 1 --conversation 4 --chatbot-enabled no',
    )
    .action(
      action<ConversationUpdateOptions>(async ({ store, now }, { company, conversation: id, ...options }) => {
        const settings = parseSettings(options);
        if (Object.keys(settings).length === 0)
          throw new UsageError('Give at least one option, such as --chatbot-enabled. See --help.');
        const row = await writeForCompany(store, company, (db) =>
          updateConversationSettings(db, { companyId: company, id, now: now() }, settings),
        );
        return { text: `Conversation ${id} changed.`, json: presentConversation(row) };
      }),
    );

interface ConversationForwardOptions {
  company: number;
  conversation: number;
  team?: number;
  agent?: number;
}

export const conversationForward = (): Command =>
  new Command('forward')
    .description('Forward a conversation to a team or an agent.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1))
    .option('--team <number>', 'team ID', parseInteger(1))
    .option('--agent <number>', 'ID of the user who becomes responsible', parseInteger(1))
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- conversation forward --company 1 --conversation 4 --team 3\n' +
        '  npm run -s parley -- conversation forward --company 1 --conversation 4 --agent 17',
    )
    .action(
      action<ConversationForwardOptions>(
        async ({ store, now }, { company, conversation: id, team, agent }) => {
          const to = destination(team, agent);
          const row = await writeForCompany(store, company, (db) =>
            forwardConversation(db, { companyId: company, id, now: now() }, to),
          );
          const whom = 'team' in to ? `team ${to.team}` : `agent ${to.agent}`;
          return { text: `Conversation ${id} forwarded to ${whom}.`, json: presentConversation(row) };
        },
      ),
    );

function destination(team: number | undefined, agent: number | undefined) {
  if (team !== undefined && agent === undefined) return { team };
  if (agent !== undefined && team === undefined) return { agent };
  throw new UsageError('Give either --team or --agent.');
}

export const conversationClose = (): Command =>
  conversationCommand(
    {
      verb: 'close',
      past: 'closed',
      about: 'Close a conversation. A new message reopens it.',
    },
    closeConversation,
  );

export const conversationArchive = (): Command =>
  conversationCommand(
    {
      verb: 'archive',
      past: 'archived',
      about: 'Archive a conversation. A new message unarchives it.',
    },
    archiveConversation,
  );

export const conversationDelete = (): Command =>
  conversationCommand(
    {
      verb: 'delete',
      past: 'deleted',
      about: 'Delete a conversation: it and its messages are hidden everywhere.',
    },
    deleteConversation,
  );
