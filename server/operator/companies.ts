import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { eraseCompany } from '../features/privacy/erase-company.ts';
import { companyRecord, exportHistory, recordedTables } from '../features/privacy/export-company.ts';
import { replaceControlCharacters } from '../lib/terminal.ts';
import { presentRow } from '../own-contract/present-row.ts';
import { findCompany, insertCompany, listCompanies } from '../storage/queries/companies.ts';
import { updateRows } from '../storage/queries/rows.ts';
import { command, type Ids } from './command.ts';
import { cliIo, noCompanyError, requireCompany, UsageError, writeForCompany } from './context.ts';
import { eraseEntity } from './erasures.ts';
import { type LimitOptions, limitOf, parseName, parsePath, withLimitOptions } from './options.ts';
import { formatCounts, listOf } from './output.ts';

export const companyCreate = command<{ name: string }>({
  name: 'company create',
  about: 'Create a company.',
  options: (create) => create.requiredOption('--name <name>', 'name of the company', parseName),
  examples: ["company create --name 'Acme'"],
  mayCreate: true,
  async run({ store, now }, { name }) {
    const id = await store.write((db) => insertCompany(db, { name, created_at: now() }));
    return { text: `Company ${id} made: ${replaceControlCharacters(name)}`, json: { id, name } };
  },
});

export const companyList = command<object>({
  name: 'company list',
  about: 'List the companies.',
  examples: ['company list'],
  async run({ store }) {
    const companies = await store.read(listCompanies);
    return listOf(companies.map(presentRow), 'id created_at rate_per_minute name');
  },
});

export const companyUpdate = command<Ids<'company'> & LimitOptions>({
  name: 'company update',
  about: 'Set the rate limit of each token of a company.',
  of: ['company'],
  options: withLimitOptions,
  notes:
    'It applies to the next request, and replaces PARLEY_RATE_PER_MINUTE for tokens without a limit of their own.',
  examples: ['company update --company 1 --per-minute 6000', 'company update --company 1 --default'],
  async run({ store }, { company, ...options }) {
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
  },
});

export const companyExport = command<Ids<'company'> & { to: string }>({
  name: 'company export',
  about: 'Export all data of a company to files.',
  of: ['company'],
  options: (made) => made.requiredOption('--to <folder>', 'folder to create; must not exist', parsePath),
  notes: `
Creates three files that only their owner can read:
  company.json     ${recordedTables.join(', ').replaceAll('_', ' ')}, without secrets
  history.ndjson   contacts, conversations and messages, in the format of "import" (needs the same custom fields)
  deleted.ndjson   deleted ones that are still stored, and what belongs to them`,
  examples: ['company export --company 1 --to acme'],
  async run({ store }, { company, to }) {
    await store.read((db) => requireCompany(db, company));
    const folder = await newFolder(to);
    const { progress } = cliIo();
    const create = (name: string) => open(join(folder, name), 'wx', 0o600);
    await using record = await create('company.json');
    await using history = await create('history.ndjson');
    await using deleted = await create('deleted.ndjson');
    await record.write(`${JSON.stringify(await companyRecord(store, company), null, 2)}\n`);
    const append = (file: FileHandle) => async (text: string) => {
      await file.write(text);
    };
    const exported = await exportHistory(
      store,
      company,
      { history: append(history), deleted: append(deleted) },
      (counts) => progress.show(formatCounts(counts)),
    );
    return {
      text: `Exported company ${company} to ${folder}: ${formatCounts(exported)}.`,
      json: { company, to: folder, exported },
    };
  },
});

async function newFolder(to: string): Promise<string> {
  const folder = resolve(to);
  await mkdir(folder, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') throw new Error(`${folder} exists already. Choose another name.`);
    throw new Error(`${folder} cannot be created: ${error.message}.`);
  });
  return folder;
}

export const companyErase = command<Ids<'company'> & { name: string }>({
  name: 'company erase',
  about: 'Erase a company and all its data permanently.',
  of: ['company'],
  options: (erase) => erase.requiredOption('--name <name>', 'name of the company, as a confirmation'),
  notes: `
This cannot be undone. Its tokens are deleted first. The command waits for webhook requests of the company that are in
flight, at most 20 s. Export its data before: parley company export.`,
  examples: ["company erase --company 4 --name 'Acme'"],
  async run(context, { company: id, name }) {
    const { store } = context;
    const company = await store.read((db) => findCompany(db, id));
    if (company && company.name !== name)
      throw new UsageError(
        `The name of company ${id} is ${replaceControlCharacters(company.name)}. Nothing was erased.`,
      );
    return eraseEntity(context, {
      entity: { company_id: id, kind: 'company', entity_id: id },
      missing: noCompanyError(id),
      erase: (options) =>
        eraseCompany(store, id, {
          ...options,
          onProgress: (rows, table) => cliIo().progress.show(`${rows.toLocaleString('en')} rows (${table})`),
        }),
      none: {},
      describe: (erased) =>
        `, with ${Object.values(erased)
          .reduce((all, count) => all + count, 0)
          .toLocaleString('en')} rows`,
    });
  },
});
