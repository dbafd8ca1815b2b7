import { Command } from 'commander';
import { presentMessage } from '../features/messages/present.ts';
import type { MessageTarget } from '../features/messages/update.ts';
import type { MessageRow } from '../storage/queries/messages.ts';
import type { Transaction } from '../storage/store.ts';
import { action, parseInteger, writeForCompany } from './action.ts';

/** Creates a command that runs one action on a message. */
export const messageCommand = (
  { verb, past, about }: { verb: string; past: string; about: string },
  change: (db: Transaction, location: MessageTarget) => Promise<MessageRow>,
): Command =>
  new Command(verb)
    .description(about)
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--message <id>', 'message ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n  npm run -s parley -- message ${verb} --company 1 --message 9`)
    .action(
      action<{ company: number; message: number; json?: true }>(
        async ({ store, now }, { company, message: id }) => {
          const row = await writeForCompany(store, company, (db) =>
            change(db, { companyId: company, id, now: now() }),
          );
          return { text: `Message ${id} ${past}.`, json: presentMessage(row) };
        },
      ),
    );
