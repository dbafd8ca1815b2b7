import { afterAll, expect, test } from 'vitest';
import document from '../../../generated/openapi.json' with { type: 'json' };
import { type OperationId, operations } from '../../../generated/operations.ts';
import { compileContract } from '../../../scripts/contract/compile/compile-contract.ts';
import { createContract } from '../../../scripts/contract/model/contract.ts';
import { operationsOf } from '../../../server/contract/operations.ts';
import { validateResponse } from '../../../server/contract/validate-response.ts';
import { tablesToErase } from '../../../server/storage/queries/erasure.ts';
import { type Store, StoreUnavailable } from '../../../server/storage/store.ts';
import { type ApiReply, createApiClient } from '../../support/api-client.ts';
import { onPostgres } from '../../support/databases.ts';
import { type ServiceOptions, startService } from '../../support/service.ts';
import { createFixtures, type Fixtures, sendValid } from './valid-requests.ts';

type Service = Awaited<ReturnType<typeof startService>>;
type Cause = (id: OperationId, service: Service, of: Fixtures) => Promise<{ reply: ApiReply; code: number }>;

/** Sends two create requests with the same Idempotency-Key while a database lock blocks the first write. */
const twoAtOnce: Cause = async (id, { api, database }, of) => {
  const unlock = await database.lock();
  const headers = { 'idempotency-key': 'k' };
  const both = [sendValid(api, id, of, { headers }), sendValid(api, id, of, { headers })];
  // The second request is rejected first, because the first one waits for the lock.
  const reply = await Promise.race(both);
  await unlock();
  const statuses = (await Promise.all(both)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([201, 409]);
  return { reply, code: 40902 };
};

const takenField: Cause = async (id, { api, company }, of) => {
  const field = await company.field({ isUnique: true });
  const fields = [{ id: field.id, value: 'taken' }];
  await company.contact({ fields });
  const whole = (await api.getContact(of.contact)).body;
  const body = id === 'createContact' ? { fields } : { ...whole, fields };
  return { reply: await sendValid(api, id, of, { body }), code: 40901 };
};

const sentTwice: Cause = async (id, { api }, of) => {
  await sendValid(api, id, of);
  return { reply: await sendValid(api, id, of), code: 40901 };
};

/** Causes each error response, by status code, for any operation. Other status codes mean success. */
const causes: Record<string, Cause> = {
  400: async (id, { api }, of) => ({ reply: await sendValid(api, id, of, { query: '?x=%ZZ' }), code: 40001 }),
  401: async (id, { base }, of) => ({ reply: await sendValid(createApiClient(base), id, of), code: 40101 }),
  403: async (id, { company }, of) => ({
    reply: await sendValid((await company.token(['none'])).api, id, of),
    code: 40301,
  }),
  404: async (id, { api }, of) => ({ reply: await sendValid(api, id, of, { id: 4_999_999 }), code: 40401 }),
  async 409(id, service, of) {
    const inProgress = operations[id].method === 'post' ? await twoAtOnce(id, service, of) : undefined;
    if (!withTakenValue.has(id)) return inProgress ?? expect.fail(`Add what causes 409 of ${id}.`);
    return (['createContact', 'updateContact'].includes(id) ? takenField : sentTwice)(id, service, of);
  },
  412: async (id, { api }, of) => ({
    reply: await sendValid(api, id, of, { headers: { 'if-match': '"another"' } }),
    code: 41201,
  }),
  413: async (id, { api }, of) => ({
    reply: await sendValid(api, id, of, { body: ' '.repeat(1_048_577) }),
    code: 41301,
  }),
  415: async (id, { api }, of) => ({
    reply: await sendValid(api, id, of, { headers: { 'content-type': 'text/plain' } }),
    code: 41501,
  }),
  422: async (id, { api }, of) => ({
    reply: await sendValid(api, id, of, { query: '?unknown=1' }),
    code: 42201,
  }),
  429: async (id, { company }, of) => {
    const { api } = await company.token();
    let reply = await sendValid(api, id, of);
    // The burst is 5, so the sixth request is rejected at the latest.
    for (let sent = 1; sent <= 5 && reply.status !== 429; sent += 1) reply = await sendValid(api, id, of);
    return { reply, code: 42901 };
  },
  500: async (id, { api, database }, of) => {
    // Renames all tables except the one that authentication reads, so that the operation's queries fail.
    for (const table of tablesToErase.filter((each) => each !== 'tokens'))
      await database.executeSql(`ALTER TABLE ${table} RENAME TO lost_${table}`);
    return { reply: await sendValid(api, id, of), code: 50001 };
  },
  503: async (id, { api }, of) => {
    failing.failAfterTokenLookup();
    return { reply: await sendValid(api, id, of), code: 50303 };
  },
};

let failing = createFailingStore();

/** The operations that document the error code of a unique value that another object has. */
const withTakenValue = new Set(
  createContract(document)
    .operations.filter(({ responses }) => JSON.stringify(responses['409']?.content)?.includes('40901'))
    .map(({ id }) => id),
);

// Limits that no test reaches, so that responses only have the rate limit headers.
const wide = { perMinute: 60_000, burst: 60_000 };
const limits: ServiceOptions = {
  tokenLimit: { name: 'token', ...wide },
  failureLimit: { name: 'failures', ...wide },
};

const options: Record<string, ServiceOptions> = {
  409: { lockWaitMs: 20_000, keyWaitMs: 100 },
  // The burst covers creating the fixtures and one request of any cost.
  429: { tokenLimit: { name: 'token', perMinute: 1, burst: 5 } },
};

const compiled = new Map(
  operationsOf(compileContract(document)).map((operation) => [operation.id, operation]),
);

/** Expects the status code, headers and body to conform to the contract. */
function expectDocumented(id: OperationId, { status, headers, body }: ApiReply): void {
  const operation = compiled.get(id);
  const documented = operation?.responses[String(status)]?.headers ?? [];
  const sent = documented.flatMap(({ name }) => (headers.has(name) ? [[name, headers.get(name)]] : []));
  if (!operation) throw new Error(`The contract has no ${id}.`);
  expect(() =>
    validateResponse(operation, { status, headers: Object.fromEntries(sent), body }, {}),
  ).not.toThrow();
}

const reached = new Map<string, Set<string>>();
const pairs = Object.entries(operations).flatMap(([id, { statuses }]) =>
  statuses.map((status): [OperationId, string] => [id as OperationId, status]),
);

test.each(pairs)('%s returns %s as documented', async (id, status) => {
  failing = createFailingStore();
  const service = await startService({ ...limits, storeFor: failing.storeFor, ...options[status] });
  const of = await createFixtures(service.company);
  const cause = causes[status];
  if (!cause) {
    const reply = await sendValid(service.api, id, of);
    expect(reply.status, reply.text).toBe(Number(status));
  } else {
    const { reply, code } = await cause(id, service, of);
    expect(reply).toBeApiError(Number(status), code);
    expectDocumented(id, reply);
    if (['429', '503'].includes(status)) expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
    if (status === '401') expect(reply.headers.get('www-authenticate')).toBe('Bearer');
  }
  // Only 5xx responses are reported as errors.
  expect(service.errors).toHaveLength(Number(status) >= 500 ? 1 : 0);
  reached.set(id, (reached.get(id) ?? new Set()).add(status));
});

afterAll(() => {
  for (const [id, { statuses }] of Object.entries(operations))
    expect([...(reached.get(id) ?? [])].sort()).toEqual([...statuses].sort());
});

test.each([
  [false, 50303],
  [true, 50302],
])(
  'returns 503 while the database is closed, with a code of its own for a shutdown: %s',
  async (stops, code) => {
    const { api, store } = await startService({ isStopping: () => stops });
    await store.close();
    const reply = await api.listContacts();
    expect(reply).toBeApiError(503, code);
    expectDocumented('listContacts', reply);
  },
);

test('returns 500 instead of 401 if the token lookup fails', async () => {
  const { api, database } = await startService();
  await database.executeSql('ALTER TABLE tokens RENAME TO lost');
  expect(await api.listContacts()).toBeApiError(500, 50001);
});

const lockTimeout = 'canceling statement due to lock timeout';

test('returns 503 for writes while the database is locked, and continues to serve reads', async () => {
  const { api, company, database, errors } = await startService({ lockWaitMs: 50 });
  const id = await company.contact();
  const unlock = await database.lock();
  const rejected = await api.createContact({ first_name: 'Ada' });
  expect(rejected).toBeApiError(503, 50303, '');
  expect(rejected.headers.get('retry-after')).toBe('1');
  expect((await api.getContact(id)).status).toBe(200);
  await unlock();
  expect((await api.createContact({ first_name: 'Ada' })).status).toBe(201);
  expect(errors).toMatchObject([
    {
      operation: 'createContact',
      error: { cause: { message: onPostgres ? lockTimeout : 'database is locked' } },
    },
  ]);
});

test('returns code 50002 instead of a stored row that violates the contract', async () => {
  const { api, company, database, errors } = await startService();
  const id = await company.contact();
  await database.executeSql("UPDATE contacts SET status = 'asleep'");
  expect(await api.getContact(id)).toBeApiError(500, 50002, '');
  expect(errors).toMatchObject([
    { operation: 'getContact', error: { message: expect.stringContaining('/status') } },
  ]);
});

/** Wraps a store. After `failAfterTokenLookup`, only the next call (the token lookup) works; later ones fail. */
function createFailingStore() {
  let left = Number.POSITIVE_INFINITY;
  const unlessAway = <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1;
    return left < 0 ? Promise.reject(new StoreUnavailable('The database is unavailable.')) : work();
  };
  return {
    failAfterTokenLookup: () => {
      left = 1;
    },
    storeFor: (store: Store): Store => ({
      read: (work) => unlessAway(() => store.read(work)),
      readSnapshot: (work) => unlessAway(() => store.readSnapshot(work)),
      write: (work, company) => unlessAway(() => store.write(work, company)),
      writeInGroup: (work, company, group) => unlessAway(() => store.writeInGroup(work, company, group)),
      purgeDeleted: () => store.purgeDeleted(),
      checkIntegrity: () => store.checkIntegrity(),
      health: () => store.health(),
      close: () => store.close(),
    }),
  };
}
