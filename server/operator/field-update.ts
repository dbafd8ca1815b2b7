import { Command } from 'commander';
import { type FieldUpdate, updateFieldDefinition } from '../features/fields/definitions.ts';
import { presentField } from '../features/fields/present.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { action, parseInteger, UsageError, writeForCompany } from './action.ts';

interface Options {
  company: number;
  field: number;
  name?: string;
  icon?: string;
  order?: number;
  unique?: boolean;
  json?: true;
}

export const fieldUpdate = (): Command =>
  new Command('update')
    .description('Change a custom field. Its type cannot change.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--field <id>', 'field ID', parseInteger(1))
    .option('--name <name>', 'displayed name')
    .option('--icon <icon>', 'name of its icon')
    .option('--order <number>', 'position among the other fields', parseInteger(0))
    .option('--unique', 'no two contacts may have the same value')
    .option('--no-unique', 'contacts may have the same value')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      "\nExample:\n  npm run -s parley -- field update --company 1 --field 4 --name 'Second phone'",
    )
    .action(
      action<Options>(async ({ store, now }, { company, field, name, icon, order, unique }) => {
        const change: FieldUpdate = {
          ...(name === undefined ? {} : { name }),
          ...(icon === undefined ? {} : { icon }),
          ...(order === undefined ? {} : { order }),
          ...(unique === undefined ? {} : { isUnique: unique }),
        };
        if (Object.keys(change).length === 0)
          throw new UsageError('Give at least one of --name, --icon, --order, --unique and --no-unique.');
        const changed = await writeForCompany(store, company, (db) =>
          updateFieldDefinition(db, company, field, change, now()),
        );
        return {
          text: `Custom field ${field} changed: ${replaceControlCharacters(changed.name)}`,
          json: presentField(changed, null),
        };
      }),
    );
