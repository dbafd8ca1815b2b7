import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tables } from '../../../../generated/tables.ts';
import { recordedTables } from '../../../../server/features/privacy/export-company.ts';
import { tablesToErase } from '../../../../server/storage/queries/erasure.ts';
import { ownedTables } from '../../../../server/storage/schema.ts';
import { onPostgres } from '../../../support/databases.ts';
import { startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { allRows, countInFiles, createTraceableContact, deletedInSearch } from './traceable-contact.ts';

test('erasing a company leaves no trace of it in rows or files, and does not change other companies', async () => {
  const { company, addCompany, store, database, api, parley } = await startService();
  const others = await addCompany();
  const { responses } = await createTraceableContact(company, 'Zyxw');
  await createTraceableContact(others, 'Other');
  const mine = await api.listContacts();
  const before = await others.api.listContacts();
  expect([mine.status, before.body.length]).toEqual([200, 1]);

  const erase = (id: number, name = 'A company') => parley('company erase --company', id, '--name', name);
  expect(await erase(company.id, 'Another')).toFail(2);
  expect(await allRows(store)).toContain('ZyxwSaid');
  expect(await company.run('company erase', '--name', 'A company')).toMatchObject({
    erased: {
      ...{ tokens: 1, contacts: 1, conversations: 2, messages: 3, import_keys: 2 },
      idempotency_keys: responses,
    },
  });
  expect(await allRows(store)).not.toContain('Zyxw');
  expect(countInFiles(database, 'Zyxw')).toBe(0);
  if (!onPostgres) expect(await deletedInSearch(database)).toEqual([]);
  expect(await api.listContacts()).toBeApiError(401, 40102);
  expect((await others.api.listContacts()).body).toEqual(before.body);
  expect(await parley('token list --company', company.id)).toFail(1);
  // A run that was interrupted before the files were cleared can be repeated.
  const again = await erase(company.id);
  expect(again.code).toBe(0);
  expect(again.out).toContain(`Company ${company.id} no longer exists: its erasure was recorded at `);
  expect(await erase(999)).toFail(1);
});

test("a company's export can be imported into another company, which then shows the same data", async () => {
  const { company, addCompany, parley } = await startService();
  const { id } = await createTraceableContact(company, 'Zyxw');
  const gone = await company.contact({ first_name: 'Gone' });
  await company.run(`contact delete --contact ${gone}`);
  const folder = join(await temporaryFolder(), 'ex port');
  const { exported } = await company.run('company export', '--to', folder);
  expect(exported).toEqual({ contacts: 1, conversations: 2, messages: 3, deleted: 1 });
  expect((await stat(join(folder, 'history.ndjson'))).mode & 0o777).toBe(0o600);
  const record = await readFile(join(folder, 'company.json'), 'utf8');
  expect(JSON.parse(record)).toMatchObject({
    name: 'A company',
    fields: [{ name: 'A field' }],
    tokens: [{}],
  });
  expect(record).not.toMatch(/digest|secret"/);
  for (const table of recordedTables) expect(JSON.parse(record)).toHaveProperty(table);
  for (const name of ownedTables) {
    const { exported, parents } = tables[name];
    const isPart = parents.some((parent) => parent !== tables.companies);
    if (exported === 'with its parent') expect(isPart, `${name} must be 'in company.json'`).toBe(true);
  }
  expect(await readFile(join(folder, 'deleted.ndjson'), 'utf8')).toMatch(/"first_name":"Gone".*"deleted_at"/);

  const others = await addCompany();
  await others.field();
  const history = await readFile(join(folder, 'history.ndjson'), 'utf8');
  // The fields of the two companies have different IDs, so the IDs in the export are replaced.
  const [field] = (await others.api.listCustomFields()).body;
  const mine = (await company.api.listCustomFields()).body[0];
  const lines = history.replaceAll(`"fields":[{"id":${mine.id},`, `"fields":[{"id":${field.id},`);
  expect(await parley.reading(lines, 'import - --company', others.id)).toMatchObject({ code: 0 });
  const [theirs] = (await others.api.listContacts()).body;
  const { body: ours } = await company.api.getContact(id);
  const own = { id: 0, company_id: 0, fields: [] };
  expect({ ...theirs, ...own }).toEqual({ ...ours, ...own });
  expect(theirs.fields[0].value).toBe('ZyxwFieldvalue');
  const conversations = (await others.api.listConversations()).body;
  expect(conversations.flatMap((each: { messages: object[] }) => each.messages)).toHaveLength(3);
  expect(await parley('company export --company', company.id, '--to', folder)).toFail(1, ' exists already');
});

test('exports a deleted contact together with its conversations, so that the other data can be imported', async () => {
  const { company, addCompany, parley } = await startService();
  const { id } = await createTraceableContact(company, 'Zyxw');
  await company.run(`contact delete --contact ${id}`);
  const folder = join(await temporaryFolder(), 'export');
  const { exported } = await company.run('company export', '--to', folder);
  expect(exported).toEqual({ contacts: 0, conversations: 0, messages: 0, deleted: 6 });
  const others = await addCompany();
  const history = await readFile(join(folder, 'history.ndjson'), 'utf8');
  expect((await parley.reading(history, 'import - --company', others.id)).code).toBe(0);
});

test('tokens are erased before everything else, so that nothing is added, and then deliveries', () => {
  expect(tablesToErase.slice(0, 2)).toEqual(['tokens', 'deliveries']);
});
