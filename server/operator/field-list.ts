import { Command } from 'commander';
import { presentField } from '../features/fields/present.ts';
import { listFields } from '../storage/queries/fields.ts';
import { action, parseInteger, requireCompany } from './action.ts';
import { formatTable } from './output.ts';

export const fieldList = (): Command =>
  new Command('list')
    .description("List a company's custom fields in display order.")
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  npm run -s parley -- field list --company 1')
    .action(
      action<{ company: number; json?: true }>(async ({ store }, { company }) => {
        const fields = await store.read(async (db) => {
          await requireCompany(db, company);
          return listFields(db, company);
        });
        const rows = fields.map((field) => [
          field.id,
          field.order,
          field.type,
          field.is_unique ? 'unique' : null,
          field.icon,
          field.name,
        ]);
        return {
          text: formatTable(['id', 'order', 'type', 'unique', 'icon', 'name'], rows),
          json: fields.map((field) => presentField(field, null)),
        };
      }),
    );
