import { Option } from 'commander';
import { purgeDeletedFieldValues } from '../features/contacts/background-jobs.ts';
import {
  addField,
  deleteField,
  type FieldUpdate,
  updateFieldDefinition,
} from '../features/fields/definitions.ts';
import { presentField } from '../features/fields/present.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { fieldTypes } from '../own-contract/constants.ts';
import { type FieldRow, listFields } from '../storage/queries/fields.ts';
import { command, type Ids } from './command.ts';
import { requireCompany, UsageError, writeForCompany } from './context.ts';
import { parseInteger } from './options.ts';
import { listOf, type Output } from './output.ts';

interface FieldOptions extends Ids<'company'> {
  name: string;
  icon: string;
  order?: number;
  unique?: boolean;
}

/** Returns the output of a command that has changed a field. @param done the participle: "created" */
const outputOf = (field: FieldRow, done: string): Output => ({
  text: `Custom field ${field.id} ${done}: ${replaceControlCharacters(field.name)}`,
  json: presentField(field, null),
});

export const fieldCreate = command<FieldOptions & Pick<FieldRow, 'type'>>({
  name: 'field create',
  about: 'Create a custom field.',
  of: ['company'],
  options: (create) =>
    create
      .requiredOption('--name <name>', 'displayed name')
      .addOption(new Option('--type <type>', 'type of its values').choices(fieldTypes).makeOptionMandatory())
      .option('--icon <icon>', 'name of its icon', 'tag')
      .option('--order <number>', 'position among the other fields (default: last)', parseInteger(0))
      .option('--unique', 'no two contacts may have the same value'),
  examples: ["field create --company 1 --name 'Customer number' --type short_text --unique"],
  async run({ store, now }, { company, name, type, icon, order, unique }) {
    const field = await writeForCompany(store, company, (db) =>
      addField(db, company, { name, type, icon, order, isUnique: unique ?? false }, now()),
    );
    return outputOf(field, 'created');
  },
});

export const fieldUpdate = command<FieldUpdate & Ids<'company' | 'field'>>({
  name: 'field update',
  about: 'Change how a custom field is displayed.',
  of: ['company', 'field'],
  options: (update) =>
    update
      .option('--name <name>', 'displayed name')
      .option('--icon <icon>', 'name of its icon')
      .option('--order <number>', 'position among the other fields', parseInteger(0)),
  examples: ["field update --company 1 --field 4 --name 'Second phone'"],
  async run({ store, now }, { company, field, json: _json, ...change }) {
    if (Object.keys(change).length === 0)
      throw new UsageError('Give at least one of --name, --icon and --order.');
    const changed = await writeForCompany(store, company, (db) =>
      updateFieldDefinition(db, company, field, change, now()),
    );
    return outputOf(changed, 'changed');
  },
});

export const fieldDelete = command<Ids<'company' | 'field'>>({
  name: 'field delete',
  about: 'Delete a custom field, and hide its values.',
  of: ['company', 'field'],
  examples: ['field delete --company 1 --field 4'],
  async run({ store, now }, { company, field }) {
    const deleted = await writeForCompany(store, company, (db) => deleteField(db, company, field, now()));
    await purgeDeletedFieldValues(store);
    return outputOf(deleted, 'deleted');
  },
});

export const fieldList = command<Ids<'company'>>({
  name: 'field list',
  about: "List a company's custom fields in display order.",
  of: ['company'],
  examples: ['field list --company 1'],
  async run({ store }, { company }) {
    const fields = await store.read(async (db) => {
      await requireCompany(db, company);
      return listFields(db, company);
    });
    return listOf(
      fields.map((field) => presentField(field, null)),
      'id order type is_unique icon name',
    );
  },
});
