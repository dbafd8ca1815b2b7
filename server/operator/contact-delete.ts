import { Command } from 'commander';
import { deleteContact } from '../features/contacts/delete.ts';
import { action, parseInteger, writeForCompany } from './action.ts';

export const contactDelete = (): Command =>
  new Command('delete')
    .description('Delete (hide) a contact. Its conversations stay.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--contact <id>', 'contact ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- contact delete --company 1 --contact 4')
    .action(
      action<{ company: number; contact: number; json?: true }>(
        async ({ store, now }, { company, contact: id }) => {
          await writeForCompany(store, company, (db) => deleteContact(db, company, id, now()));
          return { text: `Contact ${id} deleted.`, json: { id, state: 'deleted' } };
        },
      ),
    );
