import { expect, test } from 'vitest';
import { eraseContact } from '../../../../server/features/privacy/erase-contact.ts';
import { ownedFacts, ownedTables } from '../../../../server/storage/schema.ts';
import { onPostgres } from '../../../support/databases.ts';
import { dumpTables } from '../../../support/dump-tables.ts';
import { createCompany, startService } from '../../../support/service.ts';
import { createCli } from '../../operator/cli.ts';
import { allRows, countInFiles, createTraceableContact, deletedInSearch } from './traceable-contact.ts';

const withoutPersonalData = ownedTables.filter((name) => ownedFacts(name).personalData === null);

test('createTraceableContact stores its words in every table that can hold data of a contact', async () => {
  const { company, store, database } = await startService();
  await createTraceableContact(company, database, 'Zyxw');
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
  const { company, store, base, database, api } = await startService();
  const others = await createCompany(store, base);
  const { id, conversationId, responses } = await createTraceableContact(company, database, 'Zyxw');
  await createTraceableContact(company, database, 'Stays');
  await createTraceableContact(others, database, 'Other');
  // SQLite merges a segment of the search index once a tenth of it is deleted. With 40 more contacts, less than a
  // tenth is deleted.
  for (let count = 0; count < 40; count += 1) await company.contact();
  if (!onPostgres)
    await database.executeSql(`insert into contacts_search (contacts_search) values ('optimize')`);
  expect(await allRows(store)).toContain('ZyxwSaid');
  if (!onPostgres) expect(countInFiles(database, 'ZyxwSaid')).toBeGreaterThan(0);

  const parley = createCli(database.url);
  const given = ['--company', String(company.id), '--contact', String(id)];
  const ended = await parley('contact', 'erase', ...given, '--json');
  expect(ended).toMatchObject({ code: 0 });
  expect(JSON.parse(ended.out)).toMatchObject({
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
  const { company, database } = await startService();
  const { id } = await createTraceableContact(company, database, 'Zyxw');
  const webhook = await company.webhook({ entity_id: 2, action_id: 3 });
  const given = ['--company', String(company.id), '--contact', String(id)];
  expect((await createCli(database.url)('contact', 'erase', ...given)).code).toBe(0);
  const events = await company.events(webhook);
  expect(events.map(({ event }) => event)).toMatchObject([
    { type: 'contact.deleted', data: { id, first_name: null, email_address: null, fields: [] } },
  ]);
  expect(JSON.stringify(events)).not.toContain('Zyxw');
});

test("erases a deleted contact, reports its earlier erasure, and does not erase another company's contact", async () => {
  const { company, store, base, database } = await startService();
  const others = await createCompany(store, base);
  const { id } = await createTraceableContact(company, database, 'Zyxw');
  const parley = createCli(database.url);
  const given = (of: number) => ['--company', String(of), '--contact', String(id)];
  expect(await parley('contact', 'erase', ...given(others.id))).toMatchObject({
    code: 1,
    err: `✘ Company ${others.id} has no contact ${id}.\n`,
  });
  expect((await parley('contact', 'delete', ...given(company.id))).code).toBe(0);
  expect(await allRows(store)).toContain('ZyxwSaid');
  expect((await parley('contact', 'erase', ...given(company.id))).code).toBe(0);
  expect(await allRows(store)).not.toContain('Zyxw');
  const again = await parley('contact', 'erase', ...given(company.id));
  expect(again.code).toBe(0);
  expect(again.out).toMatch(
    new RegExp(`^Contact ${id} no longer exists: its erasure was recorded at .*, and is complete`),
  );
  const list = await parley('erasure', 'list', '--json');
  expect(JSON.parse(list.out)).toMatchObject([{ kind: 'contact', id }]);
});

test('a repeated erasure completes an erasure that was interrupted at any step', async () => {
  const { company, store, database } = await startService();
  for (let most = 0; ; most += 1) {
    const mark = `Zyxw${most}z`;
    const { id } = await createTraceableContact(company, database, mark);
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
    const given = ['--company', String(company.id), '--contact', String(id)];
    const ended = await createCli(database.url)('contact', 'erase', ...given);
    expect(ended.code, `${most} writes`).toBe(broken ? 0 : 1);
    expect(await allRows(store)).not.toContain(mark);
    expect(countInFiles(database, mark)).toBe(0);
    if (!broken) break;
    expect(most).toBeLessThan(50);
  }
});
