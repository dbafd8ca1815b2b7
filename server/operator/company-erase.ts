import { Command } from 'commander';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { eraseCompany } from '../privacy/erase-company.ts';
import { findCompany } from '../storage/queries/companies.ts';
import { recordErasure } from '../storage/queries/erasures.ts';
import { action, noCompanyError, parseInteger, UsageError } from './action.ts';
import { cliIo } from './cli-io.ts';
import { completeErasure } from './complete-erasure.ts';
import { formatWaiting } from './contact-erase.ts';

const about = `
This cannot be undone. Its tokens are deleted first. The command waits for webhook requests of the company that are in
flight, at most 20 s. Export its data before: parley company export.

Example:
  npm run -s parley -- company erase --company 4 --name 'Acme'`;

export const companyErase = (): Command =>
  new Command('erase')
    .description('Erase a company and all its data permanently.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--name <name>', 'name of the company, as a confirmation')
    .option('--json', 'print JSON')
    .addHelpText('after', about)
    .action((options) =>
      action<{ company: number; name: string; json?: true }>(
        async ({ store, now }, { company: id, name, json = false }) => {
          const erasure = { company_id: id, kind: 'company', entity_id: id } as const;
          const company = await store.read((db) => findCompany(db, id));
          if (!company) return completeErasure({ store, now }, erasure, noCompanyError(id));
          if (company.name !== name)
            throw new UsageError(
              `The name of company ${id} is ${replaceControlCharacters(company.name)}. Nothing was erased.`,
            );
          const progress = cliIo().stderr.progress(json);
          try {
            await store.write((db) => recordErasure(db, { ...erasure, erased_at: now() }));
            const erased = await eraseCompany(store, id, {
              now: now(),
              onProgress: (rows, table) => progress.show(`${rows.toLocaleString('en')} rows (${table})`),
              onWaiting: (deliveries) => progress.show(formatWaiting(deliveries)),
            });
            progress.show('file');
            const isScrubbed = await store.purgeDeleted();
            const rows = Object.values(erased).reduce((all, count) => all + count, 0);
            return {
              text: `Company ${id} erased, with ${rows.toLocaleString('en')} rows.${isScrubbed ? '' : ' The next VACUUM removes them from the database files.'}`,
              json: { id, state: 'erased', erased, files: isScrubbed ? 'cleared' : 'with the next VACUUM' },
            };
          } finally {
            progress.end();
          }
        },
      )(options),
    );
