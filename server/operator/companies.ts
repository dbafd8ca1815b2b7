import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { eraseCompany } from '../features/privacy/erase-company.ts';
import {
  companyRecord,
  type Exported,
  exportHistory,
  recordedTables,
} from '../features/privacy/export-company.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { formatTimestamp } from '../own-contract/timestamp.ts';
import {
  type CompanyRow,
  countCompanyData,
  findCompany,
  insertCompany,
  listCompanies,
} from '../storage/queries/companies.ts';
import { recordErasure } from '../storage/queries/erasures.ts';
import { updateRows } from '../storage/queries/rows.ts';
import type { Store } from '../storage/store.ts';
import { action, noCompanyError, requireCompany, UsageError, writeForCompany } from './action.ts';
import { cliIo } from './cli-io.ts';
import { formatWaiting } from './contacts.ts';
import { completeErasure } from './erasures.ts';
import {
  type LimitOptions,
  limitOf,
  parseInteger,
  parseName,
  parsePath,
  withLimitOptions,
} from './options.ts';
import { formatMinute, formatTable, type Output } from './output.ts';

export const companyCreate = (): Command =>
  new Command('create')
    .description('Create a company.')
    .requiredOption('--name <name>', 'name of the company', parseName)
    .addHelpText('after', "\nExample:\n  npm run -s parley -- company create --name 'Acme'")
    .action(
      action<{ name: string }>(
        async ({ store, now }, { name }) => {
          const id = await store.write((db) => insertCompany(db, { name, created_at: now() }));
          return { text: `Company ${id} made: ${replaceControlCharacters(name)}`, json: { id, name } };
        },
        { mayCreate: true },
      ),
    );

export const companyList = (): Command =>
  new Command('list')
    .description('List the companies.')
    .option('--company <id>', 'only this one, with the number of its objects', parseInteger(1))
    .addHelpText(
      'after',
      '\nExamples:\n  npm run -s parley -- company list\n  npm run -s parley -- company list --company 1',
    )
    .action(
      action<{ company?: number }>(async ({ store }, { company }) => {
        if (company !== undefined) return showCompany(store, company);
        const companies = await store.read(listCompanies);
        return {
          text: formatTable(
            ['id', 'made', 'per minute', 'name'],
            companies.map(({ id, name, created_at, rate_per_minute }) => [
              id,
              formatMinute(created_at),
              rate_per_minute,
              name,
            ]),
          ),
          json: companies.map(formatCompany),
        };
      }),
    );

const formatCompany = ({ id, name, created_at, rate_per_minute }: CompanyRow) => ({
  id,
  name,
  created_at: formatTimestamp(created_at),
  rate_per_minute,
});

async function showCompany(store: Store, id: number): Promise<Output> {
  const { company, counts } = await store.read(async (db) => ({
    company: await findCompany(db, id),
    counts: await countCompanyData(db, id),
  }));
  if (!company) throw noCompanyError(id);
  return {
    text: formatTable(
      ['company', String(id)],
      [
        ['name', company.name],
        ['made', formatMinute(company.created_at)],
        ['per minute', company.rate_per_minute],
        ...Object.entries(counts).map(([what, count]) => [what.replaceAll('_', ' '), count]),
      ],
    ),
    json: { ...formatCompany(company), counts },
  };
}

interface CompanyUpdateOptions extends LimitOptions {
  company: number;
}

export const companyUpdate = (): Command =>
  withLimitOptions(new Command('update').description('Set the rate limit of each token of a company.'))
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .addHelpText(
      'after',
      `
It applies to the next request, and replaces PARLEY_RATE_PER_MINUTE for tokens without a limit of their own.

Examples:
  npm run -s parley -- company update --company 1 --per-minute 6000
  npm run -s parley -- company update --company 1 --default`,
    )
    .action(
      action<CompanyUpdateOptions>(async ({ store }, { company, ...options }) => {
        const limit = limitOf(options);
        await writeForCompany(store, company, (db) =>
          updateRows(db, 'companies', { id: company }, { rate_per_minute: limit }),
        );
        return {
          text:
            limit === null
              ? `Company ${company} has the limit of the service.`
              : `Each token of company ${company} may send ${limit.toLocaleString('en')} requests per minute in each API process.`,
          json: { id: company, rate_per_minute: limit },
        };
      }),
    );

const about = `
Creates three files that only their owner can read:
  company.json     ${recordedTables.join(', ').replaceAll('_', ' ')}, without secrets
  history.ndjson   contacts, conversations and messages, in the format of "import" (needs the same custom fields)
  deleted.ndjson   deleted ones that are still stored, and what belongs to them

Example:
  npm run -s parley -- company export --company 1 --to acme`;

export const companyExport = (): Command =>
  new Command('export')
    .description('Export all data of a company to files.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--to <folder>', 'folder to create; must not exist', parsePath)
    .addHelpText('after', about)
    .action((options) =>
      action<{ company: number; to: string }>(async ({ store }, { company, to, json = false }) => {
        await store.read((db) => requireCompany(db, company));
        const folder = await newFolder(to);
        const progress = cliIo().stderr.progress(json);
        const create = (name: string) => open(join(folder, name), 'wx', 0o600);
        const [record, history, deleted] = [
          await create('company.json'),
          await create('history.ndjson'),
          await create('deleted.ndjson'),
        ];
        try {
          await record.write(`${JSON.stringify(await companyRecord(store, company), null, 2)}\n`);
          const append = (file: typeof history) => async (text: string) => {
            await file.write(text);
          };
          const exported = await exportHistory(
            store,
            company,
            { history: append(history), deleted: append(deleted) },
            (counts) => progress.show(shown(counts)),
          );
          return {
            text: `Exported company ${company} to ${folder}: ${shown(exported)}.`,
            json: { company, to: folder, exported },
          };
        } finally {
          progress.end();
          await Promise.all([record, history, deleted].map((file) => file.close()));
        }
      })(options),
    );

const shown = (exported: Exported): string =>
  Object.entries(exported)
    .map(([what, count]) => `${count.toLocaleString('en')} ${what}`)
    .join(', ');

async function newFolder(to: string): Promise<string> {
  const folder = resolve(to);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new Error(`${folder} exists already. Choose another name.`);
    throw new Error(`${folder} cannot be created: ${error.message}.`);
  });
  return folder;
}

const aboutOfCompanyErase = `
This cannot be undone. Its tokens are deleted first. The command waits for webhook requests of the company that are in
flight, at most 20 s. Export its data before: parley company export.

Example:
  npm run -s parley -- company erase --company 4 --name 'Acme'`;

export const companyErase = (): Command =>
  new Command('erase')
    .description('Erase a company and all its data permanently.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--name <name>', 'name of the company, as a confirmation')
    .addHelpText('after', aboutOfCompanyErase)
    .action((options) =>
      action<{ company: number; name: string }>(
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
