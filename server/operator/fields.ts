import { type Command, Option } from 'commander';
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
import type { Schemas } from '../own-contract/handler.ts';
import { listFields } from '../storage/queries/fields.ts';
import { action, requireCompany, UsageError, writeForCompany } from './action.ts';
import { companyCommand, example, parseInteger } from './options.ts';
import { listOf } from './output.ts';

interface FieldCreateOptions {
  company: number;
  name: string;
  type: Schemas['FieldType'];
  icon: string;
  order?: number;
  unique?: true;
}

export const fieldCreate = (): Command =>
  companyCommand('create', 'Create a custom field.')
    .requiredOption('--name <name>', 'displayed name')
    .addOption(new Option('--type <type>', 'type of its values').choices(fieldTypes).makeOptionMandatory())
    .option('--icon <icon>', 'name of its icon', 'tag')
    .option('--order <number>', 'position among the other fields (default: last)', parseInteger(0))
    .option('--unique', 'no two contacts may have the same value')
    .addHelpText(
      'after',
      example("field create --company 1 --name 'Customer number' --type short_text --unique"),
    )
    .action(
      action<FieldCreateOptions>(async ({ store, now }, { company, name, type, icon, order, unique }) => {
        const field = await writeForCompany(store, company, (db) =>
          addField(db, company, { name, type, icon, order, isUnique: unique ?? false }, now()),
        );
        return {
          text: `Custom field ${field.id} created: ${replaceControlCharacters(field.name)}`,
          json: presentField(field, null),
        };
      }),
    );

interface FieldUpdateOptions {
  company: number;
  field: number;
  name?: string;
  icon?: string;
  order?: number;
  unique?: boolean;
}

export const fieldUpdate = (): Command =>
  companyCommand('update', 'Change a custom field. Its type cannot change.', 'field')
    .option('--name <name>', 'displayed name')
    .option('--icon <icon>', 'name of its icon')
    .option('--order <number>', 'position among the other fields', parseInteger(0))
    .option('--unique', 'no two contacts may have the same value')
    .option('--no-unique', 'contacts may have the same value')
    .addHelpText('after', example("field update --company 1 --field 4 --name 'Second phone'"))
    .action(
      action<FieldUpdateOptions>(async ({ store, now }, { company, field, name, icon, order, unique }) => {
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

export const fieldDelete = (): Command =>
  companyCommand('delete', 'Delete a custom field, and hide its values.', 'field')
    .addHelpText('after', example('field delete --company 1 --field 4'))
    .action(
      action<{ company: number; field: number }>(async ({ store, now }, { company, field }) => {
        const deleted = await writeForCompany(store, company, (db) => deleteField(db, company, field, now()));
        await purgeDeletedFieldValues(store);
        return {
          text: `Custom field ${field} deleted: ${replaceControlCharacters(deleted.name)}`,
          json: presentField(deleted, null),
        };
      }),
    );

export const fieldList = (): Command =>
  companyCommand('list', "List a company's custom fields in display order.")
    .addHelpText('after', example('field list --company 1'))
    .action(
      action<{ company: number }>(async ({ store }, { company }) => {
        const fields = await store.read(async (db) => {
          await requireCompany(db, company);
          return listFields(db, company);
        });
        return listOf(
          fields.map((field) => presentField(field, null)),
          'id order type is_unique icon name',
        );
      }),
    );
