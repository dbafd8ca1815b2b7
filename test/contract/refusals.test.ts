import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect, test } from 'vitest';
import document from '../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../generated/operations.ts';
import { checkAnswer } from '../../server/pipeline/check-answer.ts';
import { judgeOf } from '../../server/pipeline/validator.ts';
import { type Api, apiAt, type Reply, type Sent, type ServiceOptions, startService } from '../service.ts';

/** A request that each operation takes; `{id}` stands for a contact that is there. */
const sound: Record<OperationId, Sent> = {
  listContacts: {},
  createContact: { method: 'POST', body: { first_name: 'Ada' } },
  getContact: {},
  listCustomFields: {},
};

type Service = Awaited<ReturnType<typeof startService>>;

/** How each refusal is brought about, whatever the operation; null where the operation cannot give it. */
const causes: Record<string, (id: OperationId, service: Service) => Promise<{ reply: Reply; code: number }>> =
  {
    400: async (id, { api }) => ({ reply: await call(api, id, { query: '?x=%ZZ' }), code: 40001 }),
    401: async (id, { base }) => ({ reply: await call(apiAt(base), id), code: 40101 }),
    403: async (id, { company }) => ({
      reply: await call((await company.token(['none'])).api, id),
      code: 40301,
    }),
    404: async (id, { api }) => ({ reply: await call(api, id, { contact: 4_999_999 }), code: 40401 }),
    409: async (id, { api, company }) => {
      const field = await company.field({ isUnique: true });
      const body = { fields: [{ id: field.id, value: 'taken' }] };
      await company.contact(body);
      return { reply: await call(api, id, { sent: { body } }), code: 40901 };
    },
    413: async (id, { api }) => ({
      reply: await call(api, id, { sent: { body: ' '.repeat(1_048_577) } }),
      code: 41301,
    }),
    415: async (id, { api }) => ({
      reply: await call(api, id, { sent: { headers: { 'content-type': 'text/plain' } } }),
      code: 41501,
    }),
    422: async (id, { api }) => ({ reply: await call(api, id, { query: '?unknown=1' }), code: 42201 }),
    429: async (id, { company }) => {
      const { api } = await company.token();
      await call(api, id);
      return { reply: await call(api, id), code: 42901 };
    },
    500: async (id, { api, databaseFile }) => {
      // Somebody has meddled with the database: a table is gone that every request needs.
      const outside = new DatabaseSync(databaseFile);
      outside.exec('ALTER TABLE tokens RENAME TO lost');
      outside.close();
      return { reply: await call(api, id), code: 50001 };
    },
    503: async (id, { api, store }) => {
      await store.close();
      return { reply: await call(api, id), code: 50301 };
    },
  };

const options: Record<string, ServiceOptions> = {
  429: { tokenLimit: { name: 'token', perMinute: 1, burst: 1 } },
};

async function call(
  api: Api,
  id: OperationId,
  { query = '', contact = 1, sent = {} }: { query?: string; contact?: number; sent?: Sent } = {},
): Promise<Reply> {
  const path = operations[id].path.replace('{id}', String(contact));
  return api.send(path + query, { ...sound[id], ...sent });
}

/** Status, headers and body are what the contract says of this refusal. */
async function expectDocumented(id: OperationId, { status, headers, body }: Reply): Promise<void> {
  const operation = (await judgeOf(document)).find((each) => each.id === id);
  const documented = operation?.responses[String(status)]?.headers ?? [];
  const sent = documented.flatMap(({ name }) => (headers.has(name) ? [[name, headers.get(name)]] : []));
  if (!operation) throw new Error(`The contract has no ${id}.`);
  expect(() => checkAnswer(operation, { status, headers: Object.fromEntries(sent), body }, {})).not.toThrow();
}

const reached = new Map<string, Set<string>>();
const pairs = Object.entries(operations).flatMap(([id, { statuses }]) =>
  statuses.map((status): [OperationId, string] => [id as OperationId, status]),
);

test.each(pairs)('%s gives %s as it is documented', async (id, status) => {
  const service = await startService(options[status]);
  if (status !== '409' && status !== '429') await service.company.contact();
  const cause = causes[status];
  if (!cause) {
    const reply = await call(service.api, id);
    expect(reply.status, reply.text).toBe(Number(status));
  } else {
    const { reply, code } = await cause(id, service);
    expect(reply).toBeRefused(Number(status), code);
    await expectDocumented(id, reply);
    if (['429', '503'].includes(status)) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    if (status === '401') expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  }
  // Only what is not the caller's doing is a fault, and has its reason in the log.
  expect(service.faults).toHaveLength(Number(status) >= 500 ? 1 : 0);
  reached.set(id, (reached.get(id) ?? new Set()).add(status));
});

afterAll(() => {
  for (const [id, { statuses }] of Object.entries(operations))
    expect([...(reached.get(id) ?? [])].sort()).toEqual([...statuses].sort());
});

test('a write that meets a locked database gives up with 503, and reading goes on', async () => {
  const { api, company, databaseFile, faults } = await startService({ lockWaitMs: 50 });
  const id = await company.contact();
  const outside = new DatabaseSync(databaseFile);
  outside.exec('BEGIN IMMEDIATE');
  const refused = await api.createContact({ first_name: 'Ada' });
  expect(refused).toBeRefused(503, 50301, '');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await api.getContact(id)).status).toBe(200);
  outside.exec('ROLLBACK');
  outside.close();
  expect((await api.createContact({ first_name: 'Ada' })).status).toBe(201);
  expect(faults).toMatchObject([
    { operation: 'createContact', error: { cause: { message: 'database is locked' } } },
  ]);
});

test('a fault inside an operation is answered with 50001, and the log has its reason', async () => {
  const { api, databaseFile, faults } = await startService();
  const outside = new DatabaseSync(databaseFile);
  outside.exec('PRAGMA foreign_keys = OFF; ALTER TABLE contacts RENAME TO lost');
  outside.close();
  expect(await api.listContacts()).toBeRefused(500, 50001, '');
  expect(faults).toMatchObject([
    { operation: 'listContacts', error: { message: 'no such table: contacts' } },
  ]);
});

test('a row that breaks the contract is held back with 50002', async () => {
  const { api, company, databaseFile, faults } = await startService();
  const id = await company.contact();
  const outside = new DatabaseSync(databaseFile);
  outside.exec("UPDATE contacts SET status = 'asleep'");
  outside.close();
  expect(await api.getContact(id)).toBeRefused(500, 50002, '');
  expect(faults).toMatchObject([
    { operation: 'getContact', error: { message: expect.stringContaining('/status') } },
  ]);
});
