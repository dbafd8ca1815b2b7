import { expect, test } from 'vitest';
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

test('a contact has the canonical value and the type of each field', async () => {
  const { api, company } = await startService();
  const { id } = await company.field({ name: 'Phone', type: 'phone' });
  const contact = await company.contact({ fields: [{ id, value: '+46 (70) 123-45.67' }] });
  const { body } = await api.getContact(contact);
  expect(body).toMatchObject({ fields: [{ type: 'phone', value: '+46701234567' }] });
});

test('ignores If-None-Match', async () => {
  const { api, company } = await startService();
  const path = `/api/v1/contacts/${await company.contact()}`;
  const etag = (await api.send(path)).headers.get('etag') ?? '';
  expect((await api.send(path, { headers: { 'if-none-match': etag } })).status).toBe(200);
});
