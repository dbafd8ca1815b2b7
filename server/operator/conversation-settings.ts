import type { Command } from 'commander';
import type { ConversationSettings } from '../features/conversations/open.ts';
import { parseBoolean, parseInteger } from './action.ts';

/** The command-line options for a conversation's settings (D11). */
export interface SettingOptions {
  user?: number | 'none';
  team?: number | 'none';
  webchatSocketChannel?: string;
  chatbotEnabled?: 0 | 1;
  unmatched?: number;
  outOfOfficeReplied?: 0 | 1;
}

export const withSettings = (command: Command): Command =>
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
export function parseSettings(options: SettingOptions): Partial<ConversationSettings> {
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
