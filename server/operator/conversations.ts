import { Option } from 'commander';
import { openConversation } from '../features/conversations/open.ts';
import { presentConversation } from '../features/conversations/present.ts';
import {
  archiveConversation,
  closeConversation,
  deleteConversation,
  forwardConversation,
} from '../features/conversations/update.ts';
import { conversationServices } from '../own-contract/constants.ts';
import type { ConversationRow } from '../storage/queries/conversations.ts';
import { command, type Ids } from './command.ts';
import { writeForCompany } from './context.ts';
import { parseInteger, requireOne } from './options.ts';

export const conversationOpen = command<Ids<'company' | 'contact'> & Pick<ConversationRow, 'service'>>({
  name: 'conversation open',
  about: 'Open a conversation with a contact.',
  of: ['company', 'contact'],
  options: (open) =>
    open.addOption(
      new Option('--service <service>', 'channel').choices(conversationServices).makeOptionMandatory(),
    ),
  examples: ['conversation open --company 1 --contact 4 --service webchat'],
  async run({ store, now }, { company, contact, service }) {
    const row = await writeForCompany(store, company, (db) =>
      openConversation(db, company, { caller_id: contact, service }, now()),
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

interface UpdateOptions {
  state?: keyof typeof stateChanges;
  forwardToTeam?: number;
  forwardToAgent?: number;
}

export const conversationUpdate = command<Ids<'company' | 'conversation'> & UpdateOptions>({
  name: 'conversation update',
  about: 'Close, archive, delete or forward a conversation.',
  of: ['company', 'conversation'],
  options: (update) =>
    update
      .addOption(new Option('--state <state>', 'new state').choices(Object.keys(stateChanges)))
      .option('--forward-to-team <number>', 'ID of the team that becomes responsible', parseInteger(1))
      .option('--forward-to-agent <number>', 'ID of the user who becomes responsible', parseInteger(1)),
  notes: `
A new message reopens a closed conversation, and unarchives an archived one. A deleted conversation and its messages are hidden
everywhere.`,
  examples: [
    'conversation update --company 1 --conversation 4 --state closed',
    'conversation update --company 1 --conversation 4 --forward-to-team 3',
  ],
  async run(
    { store, now },
    { company, conversation: id, state, forwardToTeam: team, forwardToAgent: agent },
  ) {
    const change = requireOne({
      '--state': state && stateChanges[state],
      '--forward-to-team': team === undefined ? team : forwardConversation({ team_id: team }),
      '--forward-to-agent': agent === undefined ? agent : forwardConversation({ user_id: agent }),
    });
    const row = await writeForCompany(store, company, (db) =>
      change(db, { companyId: company, id, now: now() }),
    );
    const done = state ?? (team ? `forwarded to team ${team}` : `forwarded to agent ${agent}`);
    return { text: `Conversation ${id} ${done}.`, json: presentConversation(row) };
  },
});
