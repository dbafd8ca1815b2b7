import { Command } from 'commander';
import { type FieldUpdate, updateFieldDefinition } from '../features/fields/definitions.ts';
import { presentField } from '../features/fields/present.ts';
import { escapeControlCharacters } from '../lib/terminal.ts';
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
    .description('Change a custom field. Its type stays, because its values do.')
    .requiredOption('--company <id>', 'the company', parseInteger(1))
    .requiredOption('--field <id>', 'the field', parseInteger(1))
    .option('--name <name>', 'what people see')
    .option('--icon <icon>', 'the name of its icon')
    .option('--order <number>', 'its place among the others', parseInteger(0))
    .option('--unique', 'from now on a value may be held by one contact only')
    .option('--no-unique', 'from now on many contacts may have the same value')
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
          throw new UsageError('Say what to change: --name, --icon, --order, --unique or --no-unique.');
        const changed = await writeForCompany(store, company, (db) =>
          updateFieldDefinition(db, company, field, change, now()),
        );
        return {
          text: `Custom field ${field} changed: ${escapeControlCharacters(changed.name)}`,
          json: presentField(changed, null),
        };
      }),
    );
