import { Command } from 'commander';
import { presentMessage } from '../features/messages/present.ts';
import { editMessage } from '../features/messages/update.ts';
import { action, parseInteger, writeForCompany } from './action.ts';
import { readPayload } from './read-payload.ts';

interface Options {
  company: number;
  message: number;
  payload: string;
  json?: true;
}

export const messageEdit = (): Command =>
  new Command('edit')
    .description('Change the payload of a message.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--message <id>', 'message ID', parseInteger(1))
    .requiredOption('--payload <text>', 'new payload; - reads it from standard input')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExample:\n  npm run -s parley -- message edit --company 1 --message 9 --payload 'Where are my orders?'",
    )
    .action(
      action<Options>(async ({ store, now }, { company, message: id, payload: given }) => {
        const payload = await readPayload(given);
        const row = await writeForCompany(store, company, (db) =>
          editMessage(db, { companyId: company, id, now: now() }, payload),
        );
        return { text: `Message ${id} edited.`, json: presentMessage(row) };
      }),
    );
