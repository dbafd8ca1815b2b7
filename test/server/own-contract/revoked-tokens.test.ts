import { beforeAll, expect, test } from 'vitest';
import { type OperationId, operations } from '../../../generated/operations.ts';
import { createAuthenticate } from '../../../server/security/auth/authenticate.ts';
import { createRateLimiter } from '../../../server/security/auth/rate-limiter.ts';
import type { Store } from '../../../server/storage/store.ts';
import type { ApiReply } from '../../support/api-client.ts';
import { dumpTables } from '../../support/dump-tables.ts';
import { startService } from '../../support/service.ts';
import { afterAllTests } from '../../support/temporary-folder.ts';
import { createFixtures, operationIds, sendValid } from './valid-requests.ts';

const dayMs = 86_400_000;
const safeMethods = ['get', 'head', 'options', 'trace'];
const writing = operationIds.filter((id) => !safeMethods.includes(operations[id].method));
const creates = writing.filter((id) => operations[id].method === 'post');

const noLimit = (now: () => number) => createRateLimiter({ name: 'none', perMinute: 0, burst: 1 }, now);

const clock = { ahead: 0 };
const now = () => Date.now() + clock.ahead;
let onAuthenticated: () => Promise<unknown>;
let service: Awaited<ReturnType<typeof startService>>;

/** Starts a service in which a function can run between authentication and handler. */
beforeAll(async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<Store>();
  const authenticating = opened.then((store) =>
    createAuthenticate({
      store,
      now,
      limits: { tokens: noLimit(now), failures: noLimit(now) },
      costOf: () => 1,
    }),
  );
  service = await startService({
    onCleanup: afterAllTests,
    now,
    storeFor: (store) => {
      open(store);
      return store;
    },
    authenticate: async (credentials) => {
      const admission = await (await authenticating)(credentials);
      const act = onAuthenticated;
      onAuthenticated = async () => {};
      await act();
      return admission;
    },
  });
});

/** Creates a company with a token that is valid for a day. */
async function companyWithToken() {
  clock.ahead = 0;
  onAuthenticated = async () => {};
  const company = await service.addCompany();
  const of = await createFixtures(company);
  const token = await company.token(undefined, 1);
  return {
    of,
    token,
    /** Runs a function after the next request was authenticated. */
    afterAuthentication(act: () => Promise<unknown>) {
      onAuthenticated = act;
    },
    expire: async () => {
      clock.ahead = 2 * dayMs;
    },
    revoke: () => company.run(`token revoke --token ${token.id}`),
    erase: () => company.run('company erase', '--name', 'A company'),
    /** All rows, except tokens, whose last use is recorded in the background, and records of the operator. */
    rows: () =>
      service.store.read(async (db) => ({
        ...(await dumpTables(db, ['tokens'])),
        audit: await db.selectFrom('audit_records').selectAll().where('token_id', 'is not', null).execute(),
      })),
  };
}

const invalidations = [
  ['revoked', 'revoke', 40104],
  ['expired', 'expire', 40103],
  ['erased with its company', 'erase', 40104],
] as const;

const cases = writing.flatMap((id) =>
  invalidations.map(([what, invalidate, code]) => [id, what, invalidate, code] as const),
);

function expectUnauthorized(reply: ApiReply, id: OperationId, code: number): void {
  expect(operations[id].statuses, `${id} must document 401`).toContain('401');
  expect(reply, `${id} must write with the caller's store`).toBeApiError(401, code, 'header/Authorization');
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
}

test.each(cases)(
  '%s changes nothing if the token is %s after authentication',
  async (id, _what, invalidate, code) => {
    const company = await companyWithToken();
    const { token, of, rows } = company;
    let before: unknown;
    company.afterAuthentication(async () => {
      await company[invalidate]();
      before = await rows();
    });
    expectUnauthorized(await sendValid(token.api, id, of), id, code);
    expect(await rows()).toEqual(before);
    expect(service.errors).toEqual([]);
  },
);

test.each(creates)('%s sends no stored response if the token is revoked after authentication', async (id) => {
  const { token, of, revoke, afterAuthentication } = await companyWithToken();
  const create = () => sendValid(token.api, id, of, { headers: { 'idempotency-key': 'k' } });
  expect((await create()).status).toBe(201);
  afterAuthentication(revoke);
  expectUnauthorized(await create(), id, 40104);
});
