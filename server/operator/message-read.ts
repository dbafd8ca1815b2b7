import { Command } from 'commander';
import { readMessage } from '../messages/change.ts';
import { presentMessage } from '../messages/present.ts';
import { action, changeIn, wholeNumber } from './run.ts';

export const messageRead = (): Command =>
  new Command('read')
    .description('Mark a message as read, as a receipt of the channel does.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--message <id>', 'the message', wholeNumber(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- message read --company 1 --message 9')
    .action(
      action<{ company: number; message: number; json?: true }>(
        async ({ store, now }, { company, message: id }) => {
          const row = await changeIn(store, company, (db) =>
            readMessage(db, { companyId: company, id, now: now() }),
          );
          return { text: `Message ${id} marked as read.`, json: presentMessage(row) };
        },
      ),
    );
