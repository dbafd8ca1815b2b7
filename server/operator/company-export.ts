import { mkdir, open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { companyRecord, type Exported, exportHistory } from '../privacy/export-company.ts';
import { action, parseInteger, parsePath, requireCompany } from './action.ts';
import { cliIo } from './cli-io.ts';

const about = `
Three files, for their owner's eyes only:
  company.json     its fields, its webhooks and tokens without their secrets
  history.ndjson   contacts, conversations and messages, in the form that "import" takes where the same custom fields are
  deleted.ndjson   those that were deleted, or belong to such, and are kept still

Example:
  npm run -s parley -- company export --company 1 --to acme`;

export const companyExport = (): Command =>
  new Command('export')
    .description('Write everything that a company has to files.')
    .requiredOption('--company <id>', 'the company', parseInteger(1))
    .requiredOption('--to <folder>', 'a folder that is made; nothing may have that name', parsePath)
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
              text: `${folder} holds company ${company} now: ${shown(exported)}.`,
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
    if (error.code === 'EEXIST') throw new Error(`There is something called ${folder} already.`);
    throw new Error(`${folder} cannot be made: ${error.message}.`);
  });
  return folder;
}
