import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { requestLimits } from '../../../server/app.ts';
import { createFairQueue, type FairQueue } from '../../../server/lib/fair-queue.ts';
import { revokeToken } from '../../../server/storage/queries/tokens.ts';
import { createApiClient } from '../../support/api-client.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A queue that starts or refuses each request at once. @param admits gets the key of the request */
const queueThat = (admits: (key: string) => boolean, onEnd = () => {}): FairQueue => ({
  enter(key, start, refuse) {
    let isRunning = admits(key);
    const end = () => {
      if (isRunning) onEnd();
      isRunning = false;
    };
    if (isRunning) start(end);
    else refuse();
    return end;
  },
  waiting: () => 0,
});

test('a refused request gets Retry-After and its own request ID, and is not processed', async () => {
  let isFull = false;
  let turnedAway = 0;
  const { api, base, company, records, errors } = await startService({
    requestQueue: queueThat(() => !isFull),
    onShed: () => {
      turnedAway += 1;
    },
  });
  await company.contact();
  const answered = records.length;
  isFull = true;
  const refused = await api.createContact({ first_name: 'Ada' }, { 'x-request-id': 'mine' });
  expect(refused).toBeApiError(503, 50301, '');
  expect([refused.headers.get('retry-after'), refused.headers.get('x-request-id')]).toEqual(['1', 'mine']);
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  expect([turnedAway, records.length - answered, errors]).toEqual([1, 0, []]);
  isFull = false;
  expect((await api.listContacts()).body).toHaveLength(1);
});

test('refuses requests with an Origin header, and CORS preflights', async () => {
  const { base } = await startService({
    requestQueue: queueThat(() => false),
    allowedOrigins: ['https://app.example.com'],
  });
  const response = await fetch(`${base}/api/v1/contacts`, { headers: { origin: 'https://app.example.com' } });
  expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([
    503,
    'https://app.example.com',
  ]);
  const preflight = { origin: 'https://app.example.com', 'access-control-request-method': 'GET' };
  const { status } = await fetch(`${base}/api/v1/contacts`, { method: 'OPTIONS', headers: preflight });
  expect(status).toBe(503);
});

test('a request takes its turn until its response has been sent, or the client has gone', async () => {
  let [started, ended] = [0, 0];
  const { api, base, company } = await startService({
    requestQueue: queueThat(
      () => {
        started += 1;
        return true;
      },
      () => {
        ended += 1;
      },
    ),
    storeFor: (store) => ({ ...store, read: (work) => wait(100).then(() => store.read(work)) }),
  });
  const { token } = await company.token();
  expect((await api.getContact(99)).status).toBe(404);
  await expect.poll(() => ended).toBe(started);
  const before = ended;
  const gone = new AbortController();
  const call = fetch(`${base}/api/v1/contacts`, {
    headers: { authorization: `Bearer ${token}` },
    signal: gone.signal,
  });
  await expect.poll(() => started).toBe(before + 1);
  gone.abort();
  await expect(call).rejects.toThrow();
  await expect.poll(() => ended).toBe(before + 1);
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
});

test('clients that send slowly, or do not read, keep no other client from its turn', async () => {
  const { base, company } = await startService({ requestQueue: createFairQueue(requestLimits) });
  const { port } = new URL(base);
  const slow = Array.from({ length: 200 }, () => connect(Number(port), '127.0.0.1'));
  for (const [index, socket] of slow.entries()) {
    socket.on('error', () => {});
    socket.write(
      index % 2 === 0
        ? 'POST /api/v1/contacts HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\nx'
        : 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n\r\n',
    );
    if (index % 2 === 1) socket.pause();
  }
  await Promise.all(slow.map((socket) => socket.connecting && once(socket, 'connect')));
  // The service does not know the token yet, so its request takes the turn of one without a token.
  expect((await company.api.listContacts()).status).toBe(200);
  for (const socket of slow) socket.destroy();
});

test.each(['of one company whose token is not known yet', 'of five companies'])(
  'slow bodies %s keep no other company from its turn',
  async (of) => {
    const companyCount = of === 'of five companies' ? 5 : 1;
    const perCompany = 40;
    const requestQueue = createFairQueue(requestLimits);
    const { promise: allArrived, resolve: lookUp } = Promise.withResolvers<void>();
    let arrived = 0;
    const { base, company, addCompany } = await startService({
      requestQueue: {
        ...requestQueue,
        enter(...request) {
          arrived += 1;
          if (arrived === companyCount * perCompany) lookUp();
          return requestQueue.enter(...request);
        },
      },
      storeFor: (store) => ({ ...store, read: (work) => allArrived.then(() => store.read(work)) }),
    });
    const others = await Promise.all(Array.from({ length: companyCount - 1 }, addCompany));
    const { api } = await addCompany();
    const { port } = new URL(base);
    const slow: Socket[] = [];
    for (const each of [company, ...others]) {
      const { token } = await each.token();
      for (let sent = 0; sent < perCompany; sent += 1) {
        const socket = connect(Number(port), '127.0.0.1');
        socket
          .on('error', () => {})
          .write(
            `POST /api/v1/contacts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{`,
          );
        slow.push(socket);
      }
    }
    await allArrived;
    expect((await api.listContacts()).status).toBe(200);
    for (const socket of slow) socket.destroy();
  },
);

test.each(['a company', 'clients with forged tokens'])(
  'many requests of %s at once hardly delay the request of another company',
  async (who) => {
    const many = 200;
    const queue = createFairQueue(requestLimits);
    // While the requests arrive, none of them is served: all read from the store.
    const { promise: allArrived, resolve: serve } = Promise.withResolvers<void>();
    let arrived: number | undefined;
    const { company, addCompany, base } = await startService({
      requestQueue: {
        ...queue,
        enter(...request) {
          if (arrived !== undefined) arrived += 1;
          if (arrived === many + 1) serve();
          return queue.enter(...request);
        },
      },
      // Otherwise most of the forged tokens would not be looked up.
      failureLimit: { name: 'failures', perMinute: 600_000, burst: 600_000 },
      storeFor: (each) => ({
        ...each,
        read: (work) => (arrived === undefined ? each.read(work) : allArrived.then(() => each.read(work))),
      }),
    });
    const other = await addCompany();
    // From its second request on, a token is known.
    for (const { api } of [company, other]) expect((await api.listContacts()).status).toBe(200);
    // Their token is well-formed, but of another installation.
    const { token } = await (await startService()).company.token();
    const flood = who === 'a company' ? company.api : createApiClient(base, token);
    const answered: string[] = [];
    const list = async (api: typeof flood, name: string) => {
      await api.listContacts();
      answered.push(name);
    };
    arrived = 0;
    const calls = Array.from({ length: many }, () => list(flood, 'flood'));
    await Promise.all([...calls, list(other.api, 'other')]);
    // The request of the other company arrived last.
    expect(answered.indexOf('other')).toBeLessThan(many - requestLimits.maxPerKey);
  },
);

test('counts a request against a company only while its whole token is known to be valid', async () => {
  const seen: string[] = [];
  const { base, company, store } = await startService({
    requestQueue: queueThat((who) => seen.push(who) > 0),
  });
  const { token, id, api } = await company.token();
  const of = async (authorization: string) => {
    const before = seen.length;
    await fetch(`${base}/api/v1/fields`, { headers: { authorization } });
    return seen[before];
  };
  const own = String(company.id);
  expect(await of(`Bearer ${token}`)).toBe('');
  expect(await of(`Bearer ${token}`)).toBe(own);
  expect(await of(`bearer  ${token} `)).toBe(own);
  const ending = token.slice(-6);
  const forged = [`ply_live_${'0'.repeat(30)}${ending}`, ending, `${token}${ending}`, `x${token.slice(1)}`];
  for (const credential of forged)
    for (const scheme of ['Bearer ', 'Basic ', ''])
      expect(await of(`${scheme}${credential}`), credential).toBe('');
  await store.write((db) => revokeToken(db, company.id, id, Date.now()));
  expect((await api.listCustomFields()).status).toBe(401);
  expect(await of(`Bearer ${token}`)).toBe('');
});

test('refuses requests for the contract and the portal like those without a token, but never probes', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'index.html'), '<p>Guides</p>');
  let isFull = false;
  const seen: string[] = [];
  const pages: (string | number)[] = [];
  let shed = 0;
  const { base } = await startService({
    portal: folder,
    requestQueue: queueThat((who) => seen.push(who) > 0 && !isFull),
    onPage: ({ page, status }) => pages.push(page, status),
    onProbe: ({ page, status }) => pages.push(page, status),
    onShed: () => {
      shed += 1;
    },
  });
  const status = async (path: string) => (await fetch(base + path)).status;
  const shedding = ['/openapi.json', '/docs/'];
  for (const path of shedding) expect(await status(path), path).toBe(200);
  isFull = true;
  for (const path of shedding) expect(await status(path), path).toBe(503);
  for (const path of ['/healthz', '/readyz']) expect(await status(path), path).toBe(200);
  expect(seen).toEqual(Array(4).fill(''));
  expect(shed).toBe(2);
  expect(pages).toEqual(['/openapi.json', '/docs', '/healthz', '/readyz'].flatMap((page) => [page, 200]));
});

test('readiness probes send no queries', async () => {
  let reads = 0;
  const { base } = await startService({
    storeFor: (store) => ({
      ...store,
      read: (work) => {
        reads += 1;
        return store.read(work);
      },
    }),
  });
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  expect(reads).toBe(0);
});
