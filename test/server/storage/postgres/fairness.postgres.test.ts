import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { purgeDeletedFieldValues } from '../../../../server/features/contacts/background-jobs.ts';
import { applyContactUpdate } from '../../../../server/features/contacts/update.ts';
import { closeConversation, deleteConversation } from '../../../../server/features/conversations/update.ts';
import { deleteField, updateFieldDefinition } from '../../../../server/features/fields/definitions.ts';
import { contactDefaults } from '../../../../server/own-contract/contact-properties.ts';
import { lockCompany, lockFieldDefinitionsExclusive } from '../../../../server/storage/locks.ts';
import { countMatches } from '../../../../server/storage/queries/contacts.ts';
import { type Company, emptyContact, startService } from '../../../support/service.ts';
import { holdLock } from './hold-lock.ts';

test('a company that waits for its own lock delays neither other companies nor its own reads', async () => {
  const service = await startService();
  const { api, company } = service;
  const other = await service.addCompany();
  const id = await company.contact();
  const letGo = await holdLock(service.store, (db) => lockCompany(db, service.company.id));
  const waiting = Array.from({ length: 40 }, () => api.createContact({ first_name: 'Ada' }));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect((await other.api.createContact({ first_name: 'Bea' })).status).toBe(201);
  expect((await api.getContact(id)).status).toBe(200);
  await letGo();
  expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([201]));
});

test('a request with a new idempotency key that times out waiting for a lock returns 50303, not 40902', async () => {
  const service = await startService({ lockWaitMs: 200 });
  const letGo = await holdLock(service.store, (db) => lockFieldDefinitionsExclusive(db, service.company.id));
  expect(await service.api.createContact({}, { 'idempotency-key': 'new' })).toBeApiError(503, 50303);
  await letGo();
});

test('a field definition can be changed while contacts are updated continuously', async () => {
  const { store, company, api } = await startService();
  const field = await company.field();
  let writing = true;
  const writers = Array.from({ length: 8 }, async () => {
    const id = await company.contact();
    for (let round = 0; writing; round += 1)
      expect((await api.updateContact(id, { ...emptyContact, first_name: String(round) })).status).toBe(200);
  });
  for (let round = 0; round < 5; round += 1)
    await store.write((db) => updateFieldDefinition(db, company.id, field.id, { order: round }, Date.now()));
  writing = false;
  await Promise.all(writers);
});

test('a waiting write gets its timestamp when it runs', async () => {
  const service = await startService();
  const letGo = await holdLock(service.store, (db) => lockCompany(db, service.company.id));
  const asked = service.api.createContact({ first_name: 'Ada' });
  await new Promise((resolve) => setTimeout(resolve, 150));
  const released = Date.now();
  await letGo();
  const { body } = await service.api.getContact((await asked).body.id);
  expect(Date.parse(body.created_at)).toBeGreaterThanOrEqual(released);
});

test('a change of a conversation never gets an earlier timestamp than the previous change', async () => {
  const { store, company } = await startService();
  const conversation = await company.conversation({ caller_id: await company.contact() });
  const location = { companyId: company.id, id: conversation.id };
  const later = conversation.updated_at + 60_000;
  const closed = await store.write((db) => closeConversation(db, { ...location, now: later }));
  const deleted = await store.write((db) => deleteConversation(db, { ...location, now: later - 30_000 }));
  expect([closed.updated_at, deleted.updated_at, deleted.deleted_at]).toEqual([later, later, later]);
});

test('purging the values of a deleted field does not deadlock with updates of the same contacts', async () => {
  const { store, company, database } = await startService();
  const field = await company.field();
  const ids: number[] = [];
  for (let count = 0; count < 60; count += 1)
    ids.push(await company.contact({ fields: [{ id: field.id, value: String(count) }] }));
  await store.write((db) => deleteField(db, company.id, field.id, Date.now()));
  const contactNamed = (first_name: string) => ({
    ...{ given: { ...contactDefaults, first_name }, companyId: undefined },
    ...{ status: 'online' as const, avatar: null },
  });
  const updates = ids.map((id) =>
    store.write((db) =>
      applyContactUpdate(db, { companyId: company.id, id, contact: contactNamed(`${id}`) }, Date.now),
    ),
  );
  await Promise.all([purgeDeletedFieldValues(store), purgeDeletedFieldValues(store), ...updates]);
  const [{ deadlocks }] = (await database.look(
    'select deadlocks from pg_stat_database where datname = current_database()',
  )) as [{ deadlocks: number }];
  expect(Number(deadlocks)).toBe(0);
  expect(await database.look('select * from field_values')).toEqual([]);
});

/** Creates more contacts than a search reads in order of ID before it uses the index. */
async function many(company: Company, database: { executeSql(text: string): Promise<void> }) {
  await database.executeSql(`insert into contacts (company_id, first_name, status, from_integration, from_whatsapp, from_email,
      is_anonymous, search_text, created_at, updated_at)
    select ${company.id}, 'x', 'online', 0, 0, 0, 0, case when n % 100 = 0 then 'rare ' else '' end || 'common ' || n, 1, 1
      from generate_series(1, 3000) n`);
}

test('counting the matches of a search never uses a generic query plan', async () => {
  const { store, company, database } = await startService();
  await many(company, database);
  for (let count = 0; count < 8; count += 1)
    await store.read((db) => countMatches(db, { companyId: company.id, anyOf: [['rare']] }));
  const plans = await Promise.all(
    Array.from({ length: 12 }, () =>
      store.read((db) =>
        sql<{ generic: number }>`select coalesce(sum(generic_plans), 0) as generic from pg_prepared_statements
          where statement like '%search_text%'`.execute(db),
      ),
    ),
  );
  for (const { rows } of plans) expect(Number(rows[0]?.generic)).toBe(0);
});
