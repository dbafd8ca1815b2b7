import { type Command, Option } from 'commander';
import { type ConversationSettings, openConversation } from '../features/conversations/open.ts';
import { presentConversation } from '../features/conversations/present.ts';
import {
  archiveConversation,
  closeConversation,
  deleteConversation,
  forwardConversation,
  updateConversationSettings,
} from '../features/conversations/update.ts';
import { conversationServices } from '../own-contract/constants.ts';
import type { ConversationRow } from '../storage/queries/conversations.ts';
import { command, type Ids } from './command.ts';
import { writeForCompany } from './context.ts';
import { parseBoolean, parseInteger, requireOne } from './options.ts';

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

export const conversationOpen = command<
  Ids<'company' | 'contact'> & SettingOptions & Pick<ConversationRow, 'service'>
>({
  name: 'conversation open',
  about: 'Open a conversation with a contact.',
  of: ['company', 'contact'],
  options: (open) =>
    withSettings(
      open.addOption(
        new Option('--service <service>', 'channel').choices(conversationServices).makeOptionMandatory(),
      ),
    ),
  examples: ['conversation open --company 1 --contact 4 --service webchat'],
  async run({ store, now }, { company, contact, service, ...options }) {
    const row = await writeForCompany(store, company, (db) =>
      openConversation(db, company, { caller_id: contact, service, ...parseSettings(options) }, now()),
    );
    return {
      text: `Conversation ${row.id} opened with contact ${contact} over ${service}.`,
      json: presentConversation(row),
    };
  },
});

const stateChanges = {
  closed: closeConversation,
  archived: archiveConversation,
  deleted: deleteConversation,
};

interface UpdateOptions extends SettingOptions {
  state?: keyof typeof stateChanges;
  forwardToTeam?: number;
  forwardToAgent?: number;
}

export const conversationUpdate = command<Ids<'company' | 'conversation'> & UpdateOptions>({
  name: 'conversation update',
  about: 'Close, archive, delete or forward a conversation, or change its settings.',
  of: ['company', 'conversation'],
  options: (update) =>
    withSettings(
      update
        .addOption(new Option('--state <state>', 'new state').choices(Object.keys(stateChanges)))
        .option('--forward-to-team <number>', 'ID of the team that becomes responsible', parseInteger(1))
        .option('--forward-to-agent <number>', 'ID of the user who becomes responsible', parseInteger(1)),
    ),
  notes: `
A new message reopens a closed conversation, and unarchives an archived one. A deleted conversation and its messages are hidden
everywhere.`,
  examples: [
    'conversation update --company 1 --conversation 4 --state closed',
    'conversation update --company 1 --conversation 4 --forward-to-team 3',
    'conversation update --company 1 --conversation 4 --chatbot-enabled no',
  ],
  async run(
    { store, now },
    { company, conversation: id, state, forwardToTeam: team, forwardToAgent: agent, ...options },
  ) {
    const settings = parseSettings(options);
    requireOne({
      '--state': state,
      '--forward-to-team': team,
      '--forward-to-agent': agent,
      'settings such as --chatbot-enabled': Object.keys(settings)[0],
    });
    const row = await writeForCompany(store, company, (db) => {
      const target = { companyId: company, id, now: now() };
      if (state) return stateChanges[state](db, target);
      if (team) return forwardConversation(db, target, { team });
      if (agent) return forwardConversation(db, target, { agent });
      return updateConversationSettings(db, target, settings);
    });
    const receiver = team ? `team ${team}` : `agent ${agent}`;
    const done = state ?? (team || agent ? `forwarded to ${receiver}` : 'changed');
    return { text: `Conversation ${id} ${done}.`, json: presentConversation(row) };
  },
});
