import { expect, test } from 'vitest';
import { applyContactUpdate } from '../../../../server/features/contacts/update.ts';
import { onPostgres } from '../../../support/databases.ts';
import { emptyContact, startService } from '../../../support/service.ts';

async function withContact(body: object = { first_name: 'Ada', email_address: 'ada@example.com' }) {
  let clock = Date.parse('2026-03-01T00:00:00.000Z');
  const service = await startService({ now: () => clock });
  const id = await service.company.contact(body);
  clock += 1_000;
  const read = async () => (await service.api.getContact(id)).body;
  /** Updates properties of the contact. */
  const update = async (change: object, headers: Record<string, string> = {}) =>
    service.api.updateContact(id, { ...(await read()), ...change }, headers);
  return { ...service, id, read, update };
}

const done = { code: 20000, message: expect.stringContaining('updated'), fields: '' };

test('an update replaces the contact and sets updated_at', async () => {
  const { api, id, read } = await withContact();
  const body = {
    first_name: null,
    last_name: 'Lindqvist',
    email_address: 'new@example.com',
    telephone_number: '+46701234567',
    avatar: 'https://images.example.com/a.png',
    status: 'minimized',
    from_integration: true,
    integration: 'web-shop',
    from_whatsapp: true,
    from_email: true,
    fields: [],
  };
  const reply = await api.updateContact(id, body);
  expect([reply.status, reply.body]).toEqual([200, done]);
  expect(await read()).toEqual({
    ...emptyContact,
    ...body,
    id,
    company_id: 1,
    created_at: '2026-03-01T00:00:00.000Z',
    updated_at: '2026-03-01T00:00:01.000Z',
  });
});

test('an update without an optional property keeps its value', async () => {
  const { id, company, store, read } = await withContact({ first_name: 'Ada', from_email: true });
  // The contract requires every property so far, so the body cannot come from a request.
  const given = { last_name: 'B', fields: [] };
  const contact = { given, status: 'online' as const, avatar: null, companyId: undefined };
  await store.write((db) => applyContactUpdate(db, { companyId: company.id, id, contact }, Date.now));
  expect(await read()).toMatchObject({ first_name: 'Ada', last_name: 'B', from_email: true });
});

test('accepts the unchanged contact as a body, and changes nothing, not even updated_at', async () => {
  const { api, id, update, company } = await withContact({});
  const field = await company.field({ isUnique: true });
  await update({ fields: [{ id: field.id, value: 'A' }] });
  const before = await api.getContact(id);
  expect((await api.updateContact(id, before.body)).body).toEqual(done);
  const after = await api.getContact(id);
  expect([after.text, after.headers.get('etag')]).toEqual([before.text, before.headers.get('etag')]);
});

test('an update writes the row and each value once, and an update without changes writes neither', async () => {
  const { api, id, read, company, database } = await withContact();
  const field = await company.field();
  const body = { ...(await read()), last_name: 'B', fields: [{ id: field.id, value: 'A' }] };
  await database.executeSql('CREATE TABLE written (what TEXT)');
  if (onPostgres)
    await database.executeSql(`CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN INSERT INTO written VALUES (TG_ARGV[0]); RETURN NULL; END $$`);
  for (const event of ['UPDATE ON contacts', 'INSERT ON field_values', 'DELETE ON field_values']) {
    const action = onPostgres
      ? `FOR EACH ROW EXECUTE FUNCTION note_write('${event}')`
      : `BEGIN INSERT INTO written VALUES ('${event}'); END`;
    await database.executeSql(`CREATE TRIGGER "${event}" AFTER ${event} ${action}`);
  }
  const writes = async () =>
    (await database.look('SELECT what FROM written')).map((row) => Object.assign({ what: '' }, row).what);
  expect((await api.updateContact(id, body)).status).toBe(200);
  expect((await writes()).toSorted()).toEqual(['INSERT ON field_values', 'UPDATE ON contacts']);
  expect((await api.updateContact(id, body)).status).toBe(200);
  expect(await writes()).toHaveLength(2);
});

test('ignores the timestamps in a body', async () => {
  const { read, update } = await withContact();
  const timestamps = { created_at: '2001-01-01T00:00:00Z', updated_at: '2001-01-01T00:00:00Z' };
  await update({ ...timestamps, status: 'online' });
  expect(await read()).toMatchObject({
    status: 'online',
    created_at: '2026-03-01T00:00:00.000Z',
    updated_at: '2026-03-01T00:00:01.000Z',
  });
});

test('rejects another ID or company in the body, and unknown properties', async () => {
  const { id, update } = await withContact();
  expect(await update({ id: id + 1 })).toBeApiError(422, 42201, '/id');
  expect(await update({ company_id: 99 })).toBeApiError(422, 42201, '/company_id');
  expect(await update({ unknown: 'A' })).toBeApiError(422, 42201, '/unknown');
  const fields = [{ id: 77, value: 'x' }];
  const both = '/company_id, /fields/0/id';
  expect(await update({ company_id: 99, fields })).toBeApiError(422, 42201, both);
});

test('`fields` replaces all values: omitted and null values are removed', async () => {
  const { read, update, company } = await withContact();
  const [one, two, three] = [await company.field(), await company.field(), await company.field()];
  const set = (fields: object[]) => update({ fields });
  await set([
    { id: one.id, value: '1' },
    { id: two.id, value: '2' },
  ]);
  await set([
    { id: three.id, value: '3' },
    { id: two.id, value: 'changed' },
    { id: one.id, value: null },
  ]);
  expect((await read()).fields.map(({ id, value }: { id: number; value: string }) => [id, value])).toEqual([
    [two.id, 'changed'],
    [three.id, '3'],
  ]);
});

test("a unique value can be kept or released; another contact's value is rejected", async () => {
  const { api, id, update, company } = await withContact();
  const field = await company.field({ isUnique: true });
  const value = (text: string) => [{ id: field.id, value: text }];
  expect((await update({ fields: value('A') })).status).toBe(200);
  expect((await update({ status: 'online', fields: value('A') })).status).toBe(200);
  const other = await company.contact({ fields: value('B') });
  const before = (await api.getContact(id)).text;
  const taken = await update({ first_name: 'X', fields: value('B') });
  expect(taken).toBeApiError(409, 40901, '/fields/0/value');
  expect(taken.body.message).toBe(`Contact ${other} has this value of the unique field ${field.id}.`);
  expect((await api.getContact(id)).text).toBe(before);
  expect((await update({ fields: value('C') })).status).toBe(200);
  expect(
    (await api.updateContact(other, { ...(await api.getContact(other)).body, fields: value('A') })).status,
  ).toBe(200);
});

test('a contact becomes anonymous or known depending on its data', async () => {
  const { api, update } = await withContact();
  const listed = async () => (await api.listContacts()).body.length;
  await update({ first_name: '', email_address: null });
  expect(await listed()).toBe(0);
  await update({ telephone_number: '+46701234567' });
  expect(await listed()).toBe(1);
});

test('If-Match allows an update while no other client has changed the contact', async () => {
  const { api, id, update: updateIf } = await withContact();
  const etag = (await api.getContact(id)).headers.get('etag') ?? '';
  const update = (ifMatch: string, status: string) => updateIf({ status }, { 'if-match': ifMatch });
  expect((await update(etag, 'online')).status).toBe(200);
  expect(await update(etag, 'offline')).toBeApiError(412, 41201, 'header/If-Match');
  const now = (await api.getContact(id)).headers.get('etag') ?? '';
  for (const wrong of [`W/${now}`, '"x"', `"x", W/${now}`])
    expect(await update(wrong, 'offline'), wrong).toBeApiError(412, 41201, 'header/If-Match');
  expect((await update(`"x", ${now}`, 'offline')).status).toBe(200);
  expect((await update('*', 'minimized')).status).toBe(200);
  for (const malformed of ['x', '"x', '"x" "y"', '*, "x"'])
    expect(await update(malformed, 'online'), malformed).toBeApiError(422, 42201, 'header/If-Match');
});

test('an update returns the ETag of the updated contact, so that the next update needs no read', async () => {
  const { api, id, update, company } = await withContact();
  const field = await company.field();
  const tagOf = async () => (await api.getContact(id)).headers.get('etag');
  const fields = [{ id: field.id, value: 'A' }];
  const changed = await update({ last_name: 'B', fields });
  expect(changed.headers.get('etag')).toBe(await tagOf());
  const unchanged = await update({ last_name: 'B', fields });
  expect(unchanged.headers.get('etag')).toBe(await tagOf());
  const etag = unchanged.headers.get('etag') ?? '';
  expect((await update({ status: 'online' }, { 'if-match': etag })).status).toBe(200);
});

test('returns 404 for a missing contact before it checks If-Match', async () => {
  const { api, id, read } = await withContact();
  const { id: _id, ...whole } = await read();
  expect(await api.updateContact(id + 1, whole, { 'if-match': '"x"' })).toBeApiError(404, 40401, 'path/id');
});

const unsafeAvatars = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  ' https://example.com/a.png',
  'https:a.png',
  '//example.com/a.png',
  'https://example.com/"onerror=x',
  'http://[',
  'https://a:b:c//[[]',
  'https://user@example.com/a.png',
  'https://',
];

test('rejects avatars that are no absolute URLs with http or https, and stores others as sent', async () => {
  const { read, update } = await withContact();
  for (const avatar of unsafeAvatars)
    expect(await update({ avatar }), avatar).toBeApiError(422, 42201, '/avatar');
  for (const avatar of [
    'https://example.com/a.png?size=2#x',
    'http://example.com',
    'HTTPS://[2001:db8::1]:8443/a%20b',
  ]) {
    expect((await update({ avatar })).status, avatar).toBe(200);
    expect((await read()).avatar).toBe(avatar);
  }
});
