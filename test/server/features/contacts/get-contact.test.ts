import { expect, test } from 'vitest';
import { updateFieldRow } from '../../../../server/storage/queries/fields.ts';
import { createCompany, startService } from '../../../support/service.ts';

test("returns the same response for a missing contact and another company's contact", async () => {
  const { api, base, store } = await startService();
  const foreign = await (await createCompany(store, base)).contact();
  const none = await api.getContact(4_000_000);
  const theirs = await api.getContact(foreign);
  expect(none).toBeApiError(404, 40401, 'path/id');
  expect(theirs).toBeApiError(404, 40401, 'path/id');
  expect(theirs.text.replace(`contact ${foreign}.`, 'contact N.')).toBe(
    none.text.replace('contact 4000000.', 'contact N.'),
  );
});

test.each(['9007199254740991'])('accepts the largest ID, %s', async (id) => {
  const { api } = await startService();
  expect(await api.getContact(id)).toBeApiError(404, 40401, 'path/id');
});

test.each([
  '9007199254740992',
  '0',
  '-1',
  '0x11',
  '1e1',
  '%2B5',
  '%205',
  '1.0',
  '01',
  'abc',
  '%00',
  '99999999999999999999999',
])('rejects the ID %s', async (id) => {
  const { api } = await startService();
  expect(await api.getContact(id)).toBeApiError(422, 42201, 'path/id');
});

test('the ETag is strong, stays the same without changes, and differs between contacts', async () => {
  const { api, company } = await startService();
  const [one, two] = [await company.contact(), await company.contact()];
  const etags = [await api.getContact(one), await api.getContact(one), await api.getContact(two)].map(
    ({ headers }) => headers.get('etag'),
  );
  expect(etags[0]).toMatch(/^"[\w-]{27}"$/);
  expect(etags[1]).toBe(etags[0]);
  expect(etags[2]).not.toBe(etags[0]);
});

test('deleting or reordering a field changes the ETag of contacts with a value for the field', async () => {
  const { api, company, store, now } = await startService();
  const [size, code] = [await company.field({ name: 'Size' }), await company.field({ name: 'Code' })];
  const values = [size, code].map(({ id }) => ({ id, value: 'M' }));
  const id = await company.contact({ fields: values });
  const etag = async () => (await api.getContact(id)).headers.get('etag');
  const etags = [await etag()];
  await store.write((db) => updateFieldRow(db, company.id, size.id, { order: code.order + 1 }));
  etags.push(await etag());
  await store.write((db) => updateFieldRow(db, company.id, size.id, { deleted_at: now() }));
  etags.push(await etag());
  expect(new Set(etags).size).toBe(3);
});

test('rejects an unknown query parameter', async () => {
  const { api, company } = await startService();
  expect(await api.send(`/api/v1/contacts/${await company.contact()}?x=1`)).toBeApiError(
    422,
    42201,
    'query/x',
  );
});

test('ignores If-None-Match', async () => {
  const { api, company } = await startService();
  const path = `/api/v1/contacts/${await company.contact()}`;
  const etag = (await api.send(path)).headers.get('etag') ?? '';
  expect((await api.send(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
});
