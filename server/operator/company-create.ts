import { Command, InvalidArgumentError } from 'commander';
import { insertCompany } from '../storage/companies.ts';
import { action } from './run.ts';

export const companyCreate = (): Command =>
  new Command('create')
    .description('Make a company.')
    .requiredOption('--name <name>', 'what it is called', nameFrom)
    .option('--json', 'print JSON')
    .addHelpText('after', "\nExample:\n  npm run -s parley -- company create --name 'Acme'")
    .action(
      action<{ name: string; json?: true }>(
        async ({ store, now }, { name }) => {
          const id = await store.write((db) => insertCompany(db, { name, created_at: now() }));
          return { text: `Company ${id} made: ${name}`, json: { id, name } };
        },
        { mayCreate: true },
      ),
    );

function nameFrom(text: string): string {
  const name = text.trim();
  if (name.length > 0 && name.length <= 255) return name;
  throw new InvalidArgumentError('It must be 1 to 255 characters long.');
}
