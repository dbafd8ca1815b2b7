import { expect, test } from 'vitest';
import { fieldTypes } from '../../../../server/own-contract/constants.ts';
import { emptyContact, startService } from '../../../support/service.ts';

const values: Record<string, string> = {
  short_text: 'A-1017',
  text: 'Met at the fair.',
  numbers: '12',
  phone: '+46701234567',
  email: 'ada@example.com',
  currency: '12.50 EUR',
  date: '2026-03-01',
};

test('returns complete contacts in every status, with values of every field type', async () => {
  const { api, company } = await startService();
  const fields: { id: number; value: string }[] = [];
  for (const type of fieldTypes) {
    const { id } = await company.field({ type: type as 'text' });
    fields.push({ id, value: values[type] ?? expect.fail(type) });
  }
  const statuses = ['offline', 'online', 'minimized', 'disconnected'];
  for (const status of statuses) {
    const id = await company.contact({ first_name: 'Ada', fields });
    await api.updateContact(id, { ...emptyContact, first_name: 'Ada', status, fields });
  }
  const { body } = await api.searchContacts('ada');
  expect(body.map((contact: { status: string }) => contact.status)).toEqual(statuses);
  expect((await api.listContacts()).body).toEqual(body);
  const shown = (contact: { fields: { type: string; value: string }[] }) =>
    contact.fields.map(({ type, value }) => [type, value]);
  for (const contact of body) expect(shown(contact)).toEqual(fieldTypes.map((type) => [type, values[type]]));
});
