import { Command, Option } from 'commander';
import { addField } from '../features/fields/definitions.ts';
import { presentField } from '../features/fields/present.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { fieldTypes } from '../own-contract/constants.ts';
import type { Schemas } from '../own-contract/handler.ts';
import { action, parseInteger, writeForCompany } from './action.ts';

interface Options {
  company: number;
  name: string;
  type: Schemas['FieldType'];
  icon: string;
  order?: number;
  unique?: true;
  json?: true;
}

export const fieldCreate = (): Command =>
  new Command('create')
    .description('Create a custom field.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--name <name>', 'displayed name')
    .addOption(new Option('--type <type>', 'type of its values').choices(fieldTypes).makeOptionMandatory())
    .option('--icon <icon>', 'name of its icon', 'tag')
    .option('--order <number>', 'position among the other fields (default: last)', parseInteger(0))
    .option('--unique', 'no two contacts may have the same value')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExample:\n  npm run -s parley -- field create --company 1 --name 'Customer number' --type short_text --unique",
    )
    .action(
      action<Options>(async ({ store, now }, { company, name, type, icon, order, unique }) => {
        const field = await writeForCompany(store, company, (db) =>
          addField(db, company, { name, type, icon, order, isUnique: unique ?? false }, now()),
        );
        return {
          text: `Custom field ${field.id} created: ${replaceControlCharacters(field.name)}`,
          json: presentField(field, null),
        };
      }),
    );
