import { Command } from 'commander';
import { forwardConversation } from '../features/conversations/operator-actions.ts';
import { presentConversation } from '../features/conversations/present.ts';
import { action, parseInteger, UsageError, writeForCompany } from './action.ts';

interface Options {
  company: number;
  conversation: number;
  team?: number;
  agent?: number;
  json?: true;
}

export const conversationForward = (): Command =>
  new Command('forward')
    .description('Forward a conversation to a team or an agent.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--conversation <id>', 'conversation ID', parseInteger(1))
    .option('--team <number>', 'team ID', parseInteger(1))
    .option('--agent <number>', 'ID of the user who becomes responsible', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- conversation forward --company 1 --conversation 4 --team 3\n' +
        '  npm run -s parley -- conversation forward --company 1 --conversation 4 --agent 17',
    )
    .action(
      action<Options>(async ({ store, now }, { company, conversation: id, team, agent }) => {
        const to = destination(team, agent);
        const row = await writeForCompany(store, company, (db) =>
          forwardConversation(db, { companyId: company, id, now: now() }, to),
        );
        const whom = 'team' in to ? `team ${to.team}` : `agent ${to.agent}`;
        return { text: `Conversation ${id} forwarded to ${whom}.`, json: presentConversation(row) };
      }),
    );

function destination(team: number | undefined, agent: number | undefined) {
  if (team !== undefined && agent === undefined) return { team };
  if (agent !== undefined && team === undefined) return { agent };
  throw new UsageError('Give either --team or --agent.');
}
