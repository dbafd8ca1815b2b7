import { Command } from 'commander';
import { deleteMessage } from '../messages/change.ts';
import { presentMessage } from '../messages/present.ts';
import { action, changeIn, wholeNumber } from './run.ts';

export const messageDelete = (): Command =>
  new Command('delete')
    .description('Delete a message: it is hidden everywhere.')
    .requiredOption('--company <id>', 'the company', wholeNumber(1))
    .requiredOption('--message <id>', 'the message', wholeNumber(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- message delete --company 1 --message 9')
    .action(
      action<{ company: number; message: number; json?: true }>(
        async ({ store, now }, { company, message: id }) => {
          const row = await changeIn(store, company, (db) =>
            deleteMessage(db, { companyId: company, id, now: now() }),
          );
          return { text: `Message ${id} deleted.`, json: presentMessage(row) };
        },
      ),
    );
