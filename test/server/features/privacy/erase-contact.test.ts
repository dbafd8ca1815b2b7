import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eraseContact } from '../../../../server/features/privacy/erase-contact.ts';
import { ownedFacts, ownedTables } from '../../../../server/storage/schema.ts';
import { onPostgres } from '../../../support/databases.ts';
import { dumpTables } from '../../../support/dump-tables.ts';
import { startService } from '../../../support/service.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import { allRows, countInFiles, createTraceableContact, deletedInSearch } from './traceable-contact.ts';

const withoutPersonalData = ownedTables.filter((name) => ownedFacts(name).personalData === null);

test('createTraceableContact stores its words in every table that can hold data of a contact', async () => {
  const { company, store } = await startService();
  await createTraceableContact(company, 'Zyxw');
  const rows = Object.entries(await store.read((db) => dumpTables(db, withoutPersonalData)));
  const without = rows.filter(([, found]) => !JSON.stringify(found).includes('Zyxw'));
  expect(
    without.map(([table]) => table),
    'Tables to fill in createTraceableContact, or tables without personal data',
  ).toEqual([]);
  const all = Object.entries(await store.read((db) => dumpTables(db, [])));
  const withWords = all.filter(([, found]) => JSON.stringify(found).includes('Zyxw')).map(([table]) => table);
  expect(
    withWords.filter((name) => withoutPersonalData.some((other) => other === name)),
    'Tables whose personalData in server/storage/tables must not be null',
  ).toEqual([]);
});

test('erasing a contact leaves no trace of it in rows or files, while the service runs', async () => {
  const { company, addCompany, store, database, api } = await startService();
  const others = await addCompany();
  const { id, conversationId, responses } = await createTraceableContact(company, 'Zyxw');
  await createTraceableContact(company, 'Stays');
  await createTraceableContact(others, 'Other');
  // SQLite merges a segment of the search index once a tenth of it is deleted. With 40 more contacts, less than a
  // tenth is deleted.
  for (let count = 0; count < 40; count += 1) await company.contact();
  if (!onPostgres)
    await database.executeSql(`insert into contacts_search (contacts_search) values ('optimize')`);
  expect(await allRows(store)).toContain('ZyxwSaid');
  if (!onPostgres) expect(countInFiles(database, 'ZyxwSaid')).toBeGreaterThan(0);

  expect(await company.run(`contact erase --contact ${id}`)).toMatchObject({
    erased: { contacts: 1, conversations: 2, messages: 3, responses },
    files: onPostgres ? 'with the next VACUUM' : 'cleared',
  });

  expect(await allRows(store)).not.toContain('Zyxw');
  expect(countInFiles(database, 'Zyxw')).toBe(0);
  if (!onPostgres) expect(await deletedInSearch(database)).toEqual([]);
  for (const word of ['StaysNewfirst_name', 'StaysSaid', 'OtherSaid', 'OtherNewfirst_name'])
    expect(await allRows(store)).toContain(word);
  expect(await api.getContact(id)).toBeApiError(404, 40401);
  expect(await api.getConversation(conversationId)).toBeApiError(404, 40401);
  expect((await api.searchContacts('zyxw')).body).toEqual([]);
  expect((await api.searchContacts('stays')).body).toHaveLength(1);
});

test('a create that is repeated after the erasure of its contact is a new request (D34)', async () => {
  const { api, company, store } = await startService();
  const create = () => api.createContact({ first_name: 'Ada' }, { 'idempotency-key': 'Ada' });
  const { id } = (await create()).body;
  await eraseContact(store, company.id, id, { now: Date.now() });
  expect(await create()).toMatchObject({ status: 201, body: { id: id + 1 } });
});

test('a webhook for deleted contacts receives the ID of an erased contact and nothing else', async () => {
  const { company } = await startService();
  const { id } = await createTraceableContact(company, 'Zyxw');
  const webhook = await company.webhook({ entity_id: 2, action_id: 3 });
  await company.run(`contact erase --contact ${id}`);
  const events = await company.events(webhook);
  expect(events.map(({ event }) => event)).toMatchObject([
    { type: 'contact.deleted', data: { id, first_name: null, email_address: null, fields: [] } },
  ]);
  expect(JSON.stringify(events)).not.toContain('Zyxw');
});

test("erases a deleted contact, reports its earlier erasure, and does not erase another company's contact", async () => {
  const { company, addCompany, store, parley } = await startService();
  const others = await addCompany();
  const { id } = await createTraceableContact(company, 'Zyxw');
  expect(await parley('contact erase --company', others.id, '--contact', id)).toFail(
    1,
    `✘ Company ${others.id} has no contact ${id}.\n`,
  );
  await company.run(`contact delete --contact ${id}`);
  expect(await allRows(store)).toContain('ZyxwSaid');
  await company.run(`contact erase --contact ${id}`);
  expect(await allRows(store)).not.toContain('Zyxw');
  const again = await parley('contact erase --company', company.id, '--contact', id);
  expect(again.code).toBe(0);
  expect(again.out).toMatch(
    new RegExp(`^Contact ${id} no longer exists: its erasure was recorded at .*, and is complete`),
  );
  expect(await parley.json('erasure list')).toMatchObject([{ kind: 'contact', id }]);
});

test('a repeated erasure completes an erasure that was interrupted at any step', async () => {
  const { company, store, database, parley } = await startService();
  for (let most = 0; ; most += 1) {
    const mark = `Zyxw${most}z`;
    const { id } = await createTraceableContact(company, mark);
    let left = most;
    const failing = {
      ...store,
      write: (...given: Parameters<typeof store.write>) => {
        left -= 1;
        return left < 0 ? Promise.reject(new Error('Power loss.')) : store.write(...given);
      },
    } as typeof store;
    const broken = await eraseContact(failing, company.id, id, { now: Date.now() }).then(
      () => false,
      () => true,
    );
    const ended = await parley('contact erase --company', company.id, '--contact', id);
    expect(ended.code, `${most} writes`).toBe(broken ? 0 : 1);
    expect(await allRows(store)).not.toContain(mark);
    expect(countInFiles(database, mark)).toBe(0);
    if (!broken) break;
    expect(most).toBeLessThan(50);
  }
});

test('restore --erasures erases a restored contact again, and records each erasure once', async () => {
  const { company, api, store, parley } = await startService();
  const id = await company.contact({ first_name: 'Ada' });
  const row = await store.read((db) =>
    db.selectFrom('contacts').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  );
  await company.run(`contact erase --contact ${id}`);
  const erasures = await parley.json('erasure list');
  expect(erasures).toMatchObject([{ company_id: company.id, kind: 'contact', id }]);

  // Inserts the erased row again, as restoring a backup does.
  await store.write((db) => db.insertInto('contacts').values(row).execute());
  expect((await api.getContact(id)).status).toBe(200);
  const list = join(await temporaryFolder(), 'erasures.json');
  await writeFile(list, JSON.stringify(erasures));
  const apply = () => parley.json('restore', '--erasures', list);
  expect(await apply()).toMatchObject({ erasures_listed: 1, erased_again: 1 });
  expect(await api.getContact(id)).toBeApiError(404, 40401);
  expect(await apply()).toMatchObject({ erasures_listed: 1, erased_again: 0 });
  expect(await parley.json('erasure list')).toHaveLength(1);
});
