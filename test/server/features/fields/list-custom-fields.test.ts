import { expect, test } from 'vitest';
import { deleteField, updateFieldDefinition } from '../../../../server/features/fields/definitions.ts';
import { startService } from '../../../support/service.ts';

test("lists the company's definitions by order, then ID, without a value", async () => {
  const { api, addCompany, company } = await startService();
  await (await addCompany()).field({ name: 'Foreign' });
  for (const [name, order] of [
    ['c', 5],
    ['a', 1],
    ['d', 5],
    ['b', 3],
  ] as const)
    await company.field({ name, order });
  const { status, body } = await api.listCustomFields();
  expect(status).toBe(200);
  expect(body.map((field: { name: string; value: null }) => [field.name, field.value])).toEqual([
    ['a', null],
    ['b', null],
    ['c', null],
    ['d', null],
  ]);
});

test('a field without an order becomes the last one', async () => {
  const { company } = await startService();
  expect([
    (await company.field()).order,
    (await company.field({ order: 40 })).order,
    (await company.field()).order,
  ]).toEqual([1, 40, 41]);
});

test('a deleted field disappears from lists and contacts, and is rejected in requests', async () => {
  const { api, store, company, now } = await startService();
  const code = await company.field({ isUnique: true });
  const id = await company.contact({ first_name: 'Ada', fields: [{ id: code.id, value: 'A' }] });
  await store.write((db) => deleteField(db, company.id, code.id, now()));
  expect((await api.listCustomFields()).body).toEqual([]);
  expect((await api.getContact(id)).body.fields).toEqual([]);
  expect(await api.createContact({ fields: [{ id: code.id, value: 'B' }] })).toBeApiError(
    422,
    42201,
    '/fields/0/id',
  );
});

test('accepts a field definition at its limits, and rejects an invalid change', async () => {
  const { company, store, now } = await startService();
  const { id } = await company.field({ name: 'x'.repeat(255), icon: 'x'.repeat(64), order: 2 ** 31 - 1 });
  const change = store.write((db) => updateFieldDefinition(db, company.id, id, { icon: 'No icon' }, now()));
  await expect(change).rejects.toMatchObject({
    errorResponse: { errorName: 'validationFailed', fields: '/icon' },
  });
  expect((await company.field()).order).toBe(2 ** 31 - 1);
});

test('a company has at most a hundred fields', async () => {
  const { company, api } = await startService();
  for (let count = 0; count < 100; count += 1) await company.field();
  await expect(company.field()).rejects.toThrow('at most 100');
  expect((await api.listCustomFields()).body).toHaveLength(100);
});
