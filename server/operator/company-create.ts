import { Command } from 'commander';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { insertCompany } from '../storage/queries/companies.ts';
import { action, parseName } from './action.ts';

export const companyCreate = (): Command =>
  new Command('create')
    .description('Create a company.')
    .requiredOption('--name <name>', 'name of the company', parseName)
    .option('--json', 'print JSON')
    .addHelpText('after', "\nExample:\n  npm run -s parley -- company create --name 'Acme'")
    .action(
      action<{ name: string; json?: true }>(
        async ({ store, now }, { name }) => {
          const id = await store.write((db) => insertCompany(db, { name, created_at: now() }));
          return { text: `Company ${id} made: ${replaceControlCharacters(name)}`, json: { id, name } };
        },
        { mayCreate: true },
      ),
    );
