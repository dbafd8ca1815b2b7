import { userInfo } from 'node:os';
import { expect, test } from 'vitest';
import { type OperationId, operations } from '../../../../generated/operations.ts';
import { purgeOldAuditRecords } from '../../../../server/features/purge-old-rows.ts';
import { insertAuditRecord, listAuditRecords } from '../../../../server/storage/queries/audit-records.ts';
import { createCli } from '../../../support/cli.ts';
import { startService } from '../../../support/service.ts';
import {
  createFixtures,
  operationIds,
  type RequestChanges,
  sendValid,
} from '../../own-contract/valid-requests.ts';

const changing = operationIds.filter((id) => operations[id].method !== 'get');

/** Starts a service with data, and returns a function that lists all records, newest first. */
async function auditedService() {
  const service = await startService();
  const fixtures = await createFixtures(service.company);
  const records = () => service.store.read((db) => listAuditRecords(db, { limit: 1_000 }));
  const since = async (before: { id: number }[]) =>
    (await records()).filter(({ id }) => !before.some((other) => other.id === id));
  return { ...service, fixtures, records, since };
}

test.each(changing)('%s records the token, its user, the entity and the request', async (operation) => {
  const { api, company, fixtures, records, since } = await auditedService();
  const before = await records();
  const response = await sendValid(api, operation, fixtures, { headers: { 'x-request-id': 'mine' } });
  expect(response.status).toBeLessThan(300);
  const created = response.headers.get('location')?.split('/').at(-1) ?? response.body.id;
  const added = await since(before);
  expect(added).toMatchObject([
    { company_id: company.id, action: operation, request_id: 'mine', operator: null, options: null },
  ]);
  const [record] = added;
  expect([record?.token_id, record?.user_id]).toEqual([expect.any(Number), expect.any(Number)]);
  if (created !== undefined) expect(record?.entity_id).toBe(Number(created));
  else expect(Object.values(fixtures)).toContain(record?.entity_id);
});

/** Creates that fail in the transaction. Other creates get an invalid body, and other changes an ID without an entity. */
const rejected: Partial<Record<OperationId, RequestChanges>> = {
  createContact: { body: { first_name: 'Ada', fields: [{ id: 999_999, value: 'x' }] } },
  createMessage: { body: { conversation_id: 999_999, type: 'text', payload: 'Hello' } },
};
const rejectedChange = (operation: OperationId): RequestChanges =>
  rejected[operation] ?? (operation.startsWith('create') ? { body: [] } : { id: 999_999 });

test.each(operationIds)('%s leaves no record if it fails or only reads', async (operation) => {
  const { api, fixtures, records } = await auditedService();
  const before = await records();
  const isRead = !changing.includes(operation);
  const { status } = await sendValid(api, operation, fixtures, isRead ? {} : rejectedChange(operation));
  expect(status < 300).toBe(isRead);
  expect(await records()).toEqual(before);
});

test('a repeated request with an idempotency key is recorded once', async () => {
  const { api, fixtures, records, since } = await auditedService();
  const before = await records();
  const headers = { 'idempotency-key': 'once-only-1' };
  for (let count = 0; count < 2; count += 1) await sendValid(api, 'createContact', fixtures, { headers });
  expect(await since(before)).toHaveLength(1);
});

test('the database rejects changes of records, and deletions of recent ones', async () => {
  const { store, database } = await auditedService();
  const day = 86_400_000;
  const now = Date.now();
  const add = (age: number) =>
    store.write((db) =>
      insertAuditRecord(db, { company_id: 7, created_at: now - age * day, action: `of day ${age}` }),
    );
  for (const age of [0, 29, 31, 400]) await add(age);
  const kept = async () =>
    (await store.read((db) => listAuditRecords(db, { companyId: 7, limit: 9 }))).map(({ action }) => action);
  await expect(database.executeSql("update audit_records set action = 'x'")).rejects.toThrow(
    'cannot be changed',
  );
  await expect(database.executeSql('delete from audit_records where company_id = 7')).rejects.toThrow(
    'cannot be changed',
  );
  await expect(purgeOldAuditRecords(store, now)).rejects.toThrow();
  expect(await kept()).toEqual(['of day 400', 'of day 31', 'of day 29', 'of day 0']);
  expect(await purgeOldAuditRecords(store, now - 30 * day)).toBe(2);
  expect(await kept()).toEqual(['of day 29', 'of day 0']);
});

test('commands are recorded with their operator, numbers, flags and fixed values, but no other texts', async () => {
  const { company, parley, records, since, fixtures } = await auditedService();
  const before = await records();
  await company.run('token create --user 17', '--name', 'of Ada Lovelace');
  await company.run('token list');
  expect(await parley('token revoke --token 999999 --company', company.id)).toFail(1);
  await company.run(`contact delete --contact ${fixtures.contact}`);
  await company.run(`conversation update --conversation ${fixtures.conversation} --state closed`);
  await parley('company create', '--name', 'Analytical Engines');
  const added = await since(before);
  expect(added.toReversed().map(({ action, company_id, options }) => [action, company_id, options])).toEqual([
    ['token create', company.id, expect.stringContaining('"user":17')],
    ['contact delete', company.id, expect.stringContaining(`"contact":${fixtures.contact}`)],
    ['conversation update', company.id, expect.stringContaining('"state":"closed"')],
    ['company create', 0, '{}'],
  ]);
  expect(added.map(({ operator }) => operator)).toEqual(added.map(() => expect.stringMatching(/./)));
  expect(JSON.stringify(added)).not.toMatch(/Ada|Analytical/);
});

test.each([
  [{ LOGNAME: 'ada' }, 'ada'],
  [{ LOGNAME: 'root', SUDO_USER: 'bea' }, 'bea'],
  [{}, userInfo().username],
])('commands with the environment %o are recorded with the operator %s', async (environment, operator) => {
  const { database, store } = await startService();
  await createCli(database.url, environment)('company', 'create', '--name', 'B');
  const [newest] = await store.read((db) => listAuditRecords(db, { limit: 1 }));
  expect(newest?.operator).toBe(operator);
});

test('audit list filters by company, token and time, and prints tables and JSON', async () => {
  const { api, company, parley, fixtures } = await auditedService();
  await sendValid(api, 'updateContact', fixtures);
  await parley('company', 'create', '--name', 'B');
  const list = (options = '') => parley.json(`audit list${options}`);
  const [newest, previous] = await list();
  expect(newest).toMatchObject({ action: 'company create', company_id: null, options: {} });
  expect(previous).toMatchObject({
    action: 'updateContact',
    company_id: company.id,
    entity_id: fixtures.contact,
  });
  expect((await list(` --company ${company.id}`))[0]).toEqual(previous);
  expect(await list(' --company 999')).toEqual([]);
  expect(await list(` --token ${previous.token_id} --limit 1`)).toEqual([previous]);
  expect(await list(' --to 2020-01-01')).toEqual([]);
  expect((await list(' --from 2020-01-01')).length).toBeGreaterThan(1);
  const { out } = await parley('audit', 'list', '--limit', '2');
  expect(out.split('\n')[0]).toMatch(/^created at +company id +operator .* request id +options$/);
  expect(out).toMatch(new RegExp(` ${previous.token_id} +${previous.user_id} +updateContact`));
});
