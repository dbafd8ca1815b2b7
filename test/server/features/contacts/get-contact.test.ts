import { expect, test } from 'vitest';
import { updateRow } from '../../../../server/storage/queries/rows.ts';
import { startService } from '../../../support/service.ts';

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
  await store.write((db) =>
    updateRow(db, 'fields', { company_id: company.id, id: size.id }, { order: code.order + 1 }),
  );
  etags.push(await etag());
  await store.write((db) =>
    updateRow(db, 'fields', { company_id: company.id, id: size.id }, { deleted_at: now() }),
  );
  etags.push(await etag());
  expect(new Set(etags).size).toBe(3);
});

test('a contact has the canonical value and the type of each field', async () => {
  const { api, company } = await startService();
  const given = {
    phone: ['+46 (70) 123-45.67', '+46701234567'],
    currency: ['12.5 eur', '12.50 EUR'],
    email: [' ada@example.com', 'ada@example.com'],
  } as const;
  const fields = [];
  for (const type of ['phone', 'currency', 'email'] as const)
    fields.push({ id: (await company.field({ name: type, type })).id, value: given[type][0] });
  const { body } = await api.getContact(await company.contact({ fields }));
  expect(body).toMatchObject({
    fields: Object.entries(given).map(([type, [, value]]) => ({ type, value })),
  });
});

test('ignores If-None-Match', async () => {
  const { api, company } = await startService();
  const path = `/api/v1/contacts/${await company.contact()}`;
  const etag = (await api.send(path)).headers.get('etag') ?? '';
  expect((await api.send(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
});
