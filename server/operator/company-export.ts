import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { companyRecord, type Exported, exportHistory } from '../privacy/export-company.ts';
import { action, parseInteger, parsePath, requireCompany } from './action.ts';
import { cliIo } from './cli-io.ts';

const about = `
Creates three files that only their owner can read:
  company.json     custom fields, and webhooks and tokens without their secrets
  history.ndjson   contacts, conversations and messages, in the format of "import" (needs the same custom fields)
  deleted.ndjson   deleted ones that are still stored, and what belongs to them

Example:
  npm run -s parley -- company export --company 1 --to acme`;

export const companyExport = (): Command =>
  new Command('export')
    .description('Export all data of a company to files.')
    .requiredOption('--company <id>', 'company ID', parseInteger(1))
    .requiredOption('--to <folder>', 'folder to create; must not exist', parsePath)
    .option('--json', 'print JSON')
    .addHelpText('after', about)
    .action((options) =>
      action<{ company: number; to: string; json?: true }>(
        async ({ store }, { company, to, json = false }) => {
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
        },
      )(options),
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
