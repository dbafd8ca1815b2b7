import { Command } from 'commander';
import { purgeDeletedFieldValues } from '../features/contacts/background-jobs.ts';
import { deleteField } from '../features/fields/definitions.ts';
import { presentField } from '../features/fields/present.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { action, parseInteger, writeForCompany } from './action.ts';

export const fieldDelete = (): Command =>
  new Command('delete')
    .description('Delete a custom field, and hide its values.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--field <id>', 'field ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- field delete --company 1 --field 4')
    .action(
      action<{ company: number; field: number; json?: true }>(async ({ store, now }, { company, field }) => {
        const deleted = await writeForCompany(store, company, (db) => deleteField(db, company, field, now()));
        await purgeDeletedFieldValues(store);
        return {
          text: `Custom field ${field} deleted: ${replaceControlCharacters(deleted.name)}`,
          json: presentField(deleted, null),
        };
      }),
    );
