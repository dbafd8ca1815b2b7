import { expect, test } from 'vitest';
import { findContact, listContacts } from '../../server/storage/contacts.ts';
import {
  claimValue,
  freeValues,
  listFields,
  listValuesOfField,
  updateField,
} from '../../server/storage/fields.ts';
import { dropIdempotencyKeysBefore, findIdempotencyKey } from '../../server/storage/idempotency-keys.ts';
import type { Database } from '../../server/storage/store.ts';
import { listTokens, noteTokenUse, revokeToken } from '../../server/storage/tokens.ts';
import { makeCompany, startService } from '../service.ts';

/** A company with something in every table, and another one that asks for it. */
async function twoCompanies() {
  const service = await startService();
  const { store, base, company: theirs } = service;
  const ours = await makeCompany(store, base);
  const field = await theirs.field({ isUnique: true });
  const created = await theirs.api.createContact(
    { first_name: 'Ada', fields: [{ id: field.id, value: 'A' }] },
    { 'idempotency-key': 'k' },
  );
  const token = await theirs.token();
  return {
    ...service,
    theirs,
    ours,
    fieldId: field.id,
    contactId: created.body.id as number,
    tokenId: token.id,
  };
}

type Two = Awaited<ReturnType<typeof twoCompanies>>;

const dump = (db: Database) =>
  Promise.all(
    (['fields', 'contacts', 'field_values', 'tokens', 'idempotency_keys'] as const).map((table) =>
      db.selectFrom(table).selectAll().execute(),
    ),
  );

const writes: [string, (db: Database, two: Two) => Promise<unknown>][] = [
  ['updateField', (db, { ours, fieldId }) => updateField(db, ours.id, fieldId, { name: 'Mine now' })],
  ['freeValues', (db, { ours, fieldId }) => freeValues(db, ours.id, fieldId)],
  [
    'claimValue',
    (db, { ours, fieldId, contactId }) => claimValue(db, { companyId: ours.id, contactId, fieldId }, null),
  ],
  ['revokeToken', (db, { ours, tokenId }) => revokeToken(db, ours.id, tokenId, 1)],
  ['noteTokenUse', (db, { ours, tokenId }) => noteTokenUse(db, ours.id, tokenId, 1)],
  [
    'dropIdempotencyKeysBefore',
    (db, { ours }) => dropIdempotencyKeysBefore(db, ours.id, Number.MAX_SAFE_INTEGER),
  ],
];

test.each(writes)('%s changes nothing of another company', async (_name, write) => {
  const two = await twoCompanies();
  // The token's use is noted beside the requests; it must be over before the tables are compared.
  await two.store.write((db) => db.updateTable('tokens').set({ last_used_at: 0 }).execute());
  const before = await two.store.read(dump);
  await two.store.write((db) => write(db, two));
  expect(await two.store.read(dump)).toEqual(before);
});

const all = {
  includeAnonymous: true,
  from: undefined,
  to: undefined,
  order: 'asc',
  limit: 9,
  offset: 0,
} as const;

const reads: [string, (db: Database, two: Two) => Promise<unknown>, unknown][] = [
  ['findContact', (db, { ours, contactId }) => findContact(db, ours.id, contactId), undefined],
  ['listContacts', (db, { ours }) => listContacts(db, { companyId: ours.id, ...all }), []],
  ['listFields', (db, { ours }) => listFields(db, ours.id), []],
  ['listValuesOfField', (db, { ours, fieldId }) => listValuesOfField(db, ours.id, fieldId), []],
  [
    'listTokens',
    async (db, { ours, tokenId }) => (await listTokens(db, ours.id)).filter(({ id }) => id === tokenId),
    [],
  ],
  ['findIdempotencyKey', (db, { ours }) => findIdempotencyKey(db, ours.id, 'k'), undefined],
];

test.each(reads)('%s finds nothing of another company', async (_name, read, nothing) => {
  const two = await twoCompanies();
  expect(await two.store.read((db) => read(db, two))).toEqual(nothing);
});

test('a deleted contact is hidden everywhere, and a deleted field gives up its values', async () => {
  const { store, theirs, contactId, fieldId } = await twoCompanies();
  await store.write((db) => db.updateTable('contacts').set({ deleted_at: 1 }).execute());
  expect(await theirs.api.getContact(contactId)).toBeRefused(404, 40401);
  expect((await theirs.api.listContacts('?include_anonymous=true')).body).toEqual([]);
  expect((await theirs.api.listContacts('', { prefer: 'count=exact' })).headers.get('x-total-count')).toBe(
    '0',
  );
  expect(await store.read((db) => listValuesOfField(db, theirs.id, fieldId))).toEqual([]);
});

test('a token is revoked once: the moment of it stays', async () => {
  const { store, theirs, tokenId } = await twoCompanies();
  const revoke = (now: number) => store.write((db) => revokeToken(db, theirs.id, tokenId, now));
  expect([await revoke(5), await revoke(9)]).toEqual([true, false]);
  const tokens = await store.read((db) => listTokens(db, theirs.id));
  expect(tokens.find(({ id }) => id === tokenId)?.revoked_at).toBe(5);
});
