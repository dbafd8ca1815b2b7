import { expect, test } from 'vitest';
import { insertMany } from '../../../../server/storage/queries/bulk.ts';
import { eraseBatch } from '../../../../server/storage/queries/company-data.ts';
import { findCreatedBetween } from '../../../../server/storage/queries/created-between.ts';
import { listValuesOfField } from '../../../../server/storage/queries/fields.ts';
import { findRow } from '../../../../server/storage/queries/rows.ts';
import { listTokens, revokeToken } from '../../../../server/storage/queries/tokens.ts';
import { createCompany, startService } from '../../../support/service.ts';

/** Creates a company with data (`theirs`), and another company (`ours`) that must not read or change this data. */
async function twoCompanies() {
  const service = await startService();
  const { store, base, company: theirs } = service;
  const ours = await createCompany(store, base);
  const field = await theirs.field({ isUnique: true });
  const created = await theirs.api.createContact(
    { first_name: 'Ada', fields: [{ id: field.id, value: 'A' }] },
    { 'idempotency-key': 'k' },
  );
  const conversation = await theirs.conversation({ caller_id: created.body.id });
  const token = await theirs.token();
  return {
    ...service,
    theirs,
    ours,
    fieldId: field.id,
    contactId: created.body.id as number,
    tokenId: token.id,
    conversationId: conversation.id,
  };
}

test("a list with a date range does not contain other companies' contacts from the same days", async () => {
  const { theirs, ours } = await twoCompanies();
  for (let count = 0; count < 3; count += 1) {
    await theirs.contact();
    await ours.contact();
  }
  for (const order of ['asc', 'desc']) {
    const { body } = await ours.api.listContacts(
      `?date_from=2000-01-01T00:00:00Z&include_anonymous=true&per_page=3&order=${order}`,
    );
    expect(body).toHaveLength(3);
  }
});

test("other companies' old contacts do not extend the time range that a query searches", async () => {
  const { store, theirs, ours } = await twoCompanies();
  await ours.contact();
  await store.write((db) =>
    db.updateTable('contacts').set({ created_at: 1 }).where('company_id', '=', theirs.id).execute(),
  );
  const within = { table: 'contacts', companyId: ours.id, from: 0, to: undefined } as const;
  const page = { order: 'asc', limit: 100, offset: 0 } as const;
  const found = await store.read((db) => findCreatedBetween(db, { ...within, includeAnonymous: true }, page));
  expect(found).toHaveLength(1);
});

test("eraseBatch deletes one company's idempotency keys, and keeps equal keys of other companies", async () => {
  const { store, theirs, ours } = await twoCompanies();
  await ours.api.createContact({ first_name: 'Ada' }, { 'idempotency-key': 'k' });
  await store.write(async (db) => {
    const row = await findRow(db, 'idempotency_keys', { company_id: theirs.id, key: 'k' });
    if (!row) throw new Error('There is no such key.');
    const others = Array.from({ length: 1_000 }, (_, at) => ({ ...row, key: `a${at}` }));
    await db.insertInto('idempotency_keys').values(others).execute();
    expect(await eraseBatch(db, ours.id, 'idempotency_keys')).toBe(1);
    expect(await findRow(db, 'idempotency_keys', { company_id: theirs.id, key: 'k' })).toEqual(row);
  });
});

test('a deleted contact does not appear in responses, total counts or the values of a field', async () => {
  const { store, theirs, contactId, fieldId } = await twoCompanies();
  await store.write((db) => db.updateTable('contacts').set({ deleted_at: 1 }).execute());
  expect(await theirs.api.getContact(contactId)).toBeApiError(404, 40401);
  expect((await theirs.api.listContacts('?include_anonymous=true')).body).toEqual([]);
  expect((await theirs.api.listContacts('', { prefer: 'count=exact' })).headers.get('x-total-count')).toBe(
    '0',
  );
  expect(await store.read((db) => listValuesOfField(db, theirs.id, fieldId))).toEqual([]);
});

test('revoking a token again keeps the time of the first revocation', async () => {
  const { store, theirs, tokenId } = await twoCompanies();
  const revoke = (now: number) => store.write((db) => revokeToken(db, theirs.id, tokenId, now));
  expect([await revoke(5), await revoke(9)]).toEqual([true, false]);
  const tokens = await store.read((db) => listTokens(db, theirs.id));
  expect(tokens.find(({ id }) => id === tokenId)?.revoked_at).toBe(5);
});

test("a conversation and a message cannot refer to another company's contact or conversation", async () => {
  const { store, ours, contactId, conversationId } = await twoCompanies();
  const timestamps = { created_at: 1, updated_at: 1, deleted_at: null };
  const conversation = store.write((db) =>
    insertMany(db, 'conversations', [
      {
        company_id: ours.id,
        caller_id: contactId,
        user_id: null,
        team_id: null,
        service: 'mail',
        webchat_socket_channel: null,
        new: 1,
        is_closed: 0,
        archived: null,
        chatbot_enabled: 0,
        no_matches_count: 0,
        out_of_office_replied: 0,
        ...timestamps,
      },
    ]),
  );
  await expect(conversation).rejects.toThrow(/foreign key/i);
  const message = store.write((db) =>
    insertMany(db, 'messages', [
      {
        company_id: ours.id,
        conversation_id: conversationId,
        user_id: null,
        type: 'text',
        payload: 'x',
        payload_bytes: 1,
        new: 1,
        read: 0,
        ...timestamps,
      },
    ]),
  );
  await expect(message).rejects.toThrow(/foreign key/i);
});
