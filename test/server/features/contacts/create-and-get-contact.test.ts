import { expect, test } from 'vitest';
import { emptyContact, startService } from '../../../support/service.ts';

test('returns a created contact as sent, with defaults for omitted properties', async () => {
  const { api, company } = await startService();
  const created = await api.createContact({ first_name: 'Ada', from_email: true });
  expect(created.status).toBe(201);

  const { status, body } = await api.getContact(created.body.id);
  expect(status).toBe(200);
  expect(body).toEqual({
    id: created.body.id,
    company_id: company.id,
    ...emptyContact,
    first_name: 'Ada',
    from_email: true,
    status: 'offline',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: body.created_at,
  });
});

test('returns custom field values normalized, in field order, without null values', async () => {
  const { api, company } = await startService();
  const last = await company.field({ name: 'Last', order: 9, type: 'currency' });
  const first = await company.field({ name: 'First', order: 1, type: 'numbers' });
  const none = await company.field({ name: 'None', order: 5 });
  const id = await company.contact({
    fields: [
      { id: last.id, value: '0012.5 eur' },
      { id: none.id, value: null },
      { id: first.id, value: '+007.10' },
    ],
  });
  const { body } = await api.getContact(id);
  expect(body.fields.map((field: { name: string; value: string }) => [field.name, field.value])).toEqual([
    ['First', '7.1'],
    ['Last', '12.50 EUR'],
  ]);
});

test('does not create a contact if its unique value is taken', async () => {
  const { api, company } = await startService();
  const other = await company.field();
  const code = await company.field({ isUnique: true });
  const first = await company.contact({ fields: [{ id: code.id, value: 'K 42' }] });
  const second = await api.createContact({
    first_name: 'Second',
    fields: [
      { id: other.id, value: 'x' },
      { id: code.id, value: 'K 42' },
    ],
  });
  expect(second).toBeApiError(409, 40901, '/fields/1/value');
  expect(second.body.message).toBe(`Contact ${first} has this value of the unique field ${code.id}.`);
  const writer = await company.token(['contacts:write']);
  const unnamed = await writer.api.createContact({ fields: [{ id: code.id, value: 'K 42' }] });
  expect(unnamed).toBeApiError(409, 40901, '/fields/0/value');
  expect(unnamed.body.message).toBe(`Another contact has this value of the unique field ${code.id}.`);
  const { body } = await api.listContacts('?include_anonymous=true');
  expect(body.map((contact: { id: number }) => contact.id)).toEqual([first]);
});

test('compares unique e-mail addresses in lower case, and stores them as written', async () => {
  const { api, company } = await startService();
  const mail = await company.field({ type: 'email', isUnique: true });
  const id = await company.contact({ fields: [{ id: mail.id, value: 'Ada@Example.com' }] });
  const again = await api.createContact({ fields: [{ id: mail.id, value: 'ada@example.COM' }] });
  expect(again).toBeApiError(409, 40901, '/fields/0/value');
  expect((await api.getContact(id)).body.fields[0].value).toBe('Ada@Example.com');
});

test('two companies can have the same unique value', async () => {
  const { company, addCompany } = await startService();
  for (const each of [company, await addCompany()]) {
    const code = await each.field({ isUnique: true });
    expect((await each.api.createContact({ fields: [{ id: code.id, value: 'A' }] })).status).toBe(201);
  }
});

test('reports each field that does not exist, belongs to another company or is repeated', async () => {
  const { api, company, addCompany } = await startService();
  const field = await company.field();
  const foreign = await (await addCompany()).field();
  const reply = await api.createContact({
    fields: [
      { id: 999_999, value: 'x' },
      { id: field.id, value: 'x' },
      { id: foreign.id, value: 'x' },
      { id: field.id, value: 'y' },
    ],
  });
  expect(reply).toBeApiError(422, 42201, '/fields/0/id, /fields/2/id, /fields/3/id');
});

test('reports all invalid properties of a body in one response', async () => {
  const { api } = await startService();
  const reply = await api.createContact({
    first_name: 7,
    email_address: 'nobody',
    telephone_number: '070 123',
    unknown: 'x',
    'a/b~c': 1,
    fields: [{ value: 'x' }],
  });
  expect(reply.status).toBe(422);
  expect(reply.body.fields.split(', ').sort()).toEqual(
    ['/first_name', '/email_address', '/telephone_number', '/unknown', '/a~1b~0c', '/fields/0/id'].sort(),
  );
});

test('accepts a body of 1 MiB, and rejects one byte more', async () => {
  const { api } = await startService();
  const bodyOf = (bytes: number) => `{}${' '.repeat(bytes - 2)}`;
  expect((await api.createContact(bodyOf(1_048_576))).status).toBe(201);
  expect(await api.createContact(bodyOf(1_048_577))).toBeApiError(413, 41301, 'body');
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
