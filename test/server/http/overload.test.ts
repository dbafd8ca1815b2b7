import { writeFile } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LoadShedder } from '../../../server/load-shedding/load-shedder.ts';
import { revokeToken } from '../../../server/storage/queries/tokens.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const open: LoadShedder = { admit: () => true, acquire: () => true, release() {}, isOverloaded: () => false };

test('a shed request gets Retry-After and its own request ID, and is not processed', async () => {
  let isFull = false;
  let turnedAway = 0;
  const { api, base, company, records, errors } = await startService({
    loadShedder: { ...open, admit: () => !isFull },
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

test('sheds requests with an Origin header, and CORS preflights', async () => {
  const { base } = await startService({
    loadShedder: { ...open, admit: () => false },
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

test('rejects requests at the concurrency limit only after authentication and validation', async () => {
  const inFlight: (string | undefined)[] = [];
  let isFull = false;
  const { api, company, errors } = await startService({
    loadShedder: {
      ...open,
      acquire: (who) => {
        if (isFull) return false;
        inFlight.push(who);
        return true;
      },
      release: (who) => {
        inFlight.push(who);
      },
    },
  });
  expect((await api.createContact({ first_name: 'Ada' })).status).toBe(201);
  expect((await api.getContact(99)).status).toBe(404);
  // Both requests are counted for their company, once when they start and once when they end.
  expect(inFlight).toEqual(Array(4).fill(String(company.id)));
  isFull = true;
  expect(await api.createContact({ first_name: 7 })).toBeApiError(422, 42201);
  expect(await api.createContact({ first_name: 'Ada' })).toBeApiError(503, 50301, '');
  expect([inFlight.length, errors]).toEqual([4, []]);
});

test('counts a request against a company only while its whole token is known to be valid', async () => {
  const seen: (string | undefined)[] = [];
  const { base, company, store } = await startService({
    loadShedder: { ...open, admit: (who) => seen.push(who) > 0 },
  });
  const { token, id, api } = await company.token();
  const of = async (authorization: string) => {
    await fetch(`${base}/api/v1/fields`, { headers: { authorization } });
    return seen.at(-1);
  };
  const own = String(company.id);
  expect(await of(`Bearer ${token}`)).toBeUndefined();
  expect(await of(`Bearer ${token}`)).toBe(own);
  expect(await of(`bearer  ${token} `)).toBe(own);
  const ending = token.slice(-6);
  const forged = [`ply_live_${'0'.repeat(30)}${ending}`, ending, `${token}${ending}`, `x${token.slice(1)}`];
  for (const credential of forged)
    for (const scheme of ['Bearer ', 'Basic ', ''])
      expect(await of(`${scheme}${credential}`), credential).toBeUndefined();
  await store.write((db) => revokeToken(db, company.id, id, Date.now()));
  expect((await api.listCustomFields()).status).toBe(401);
  expect(await of(`Bearer ${token}`)).toBeUndefined();
});

test('sheds contract and portal requests like unauthenticated requests, but never sheds probes', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'index.html'), '<p>Guides</p>');
  let isFull = false;
  const seen: (string | undefined)[] = [];
  const pages: (string | number)[] = [];
  let shed = 0;
  const { base } = await startService({
    portal: folder,
    loadShedder: { ...open, admit: (who) => seen.push(who) > 0 && !isFull },
    onPage: ({ page, status }) => pages.push(page, status),
    onProbe: ({ page, status }) => pages.push(page, status),
    onShed: () => {
      shed += 1;
    },
  });
  const status = async (path: string) => (await fetch(base + path)).status;
  const shedding = ['/openapi.json', '/openapi.yaml', '/docs/'];
  for (const path of shedding) expect(await status(path), path).toBe(200);
  isFull = true;
  for (const path of shedding) expect(await status(path), path).toBe(503);
  for (const path of ['/healthz', '/readyz']) expect(await status(path), path).toBe(200);
  expect(seen).toEqual(Array(6).fill(undefined));
  expect(shed).toBe(3);
  expect(pages).toEqual(
    ['/openapi.json', '/openapi.yaml', '/docs', '/healthz', '/readyz'].flatMap((page) => [page, 200]),
  );
});

test('compresses the contract for clients that accept gzip, and returns 304 if it is unchanged', async () => {
  const { base } = await startService();
  const get = (headers: Record<string, string>) =>
    new Promise<{ status: number; headers: IncomingHttpHeaders; bytes: number }>((resolve, reject) => {
      request(`${base}/openapi.json`, { headers }, (res) => {
        let bytes = 0;
        res.on('data', (part: Buffer) => {
          bytes += part.length;
        });
        res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, bytes }));
      })
        .on('error', reject)
        .end();
    });
  const plain = await get({});
  const gzip = await get({ 'accept-encoding': 'gzip' });
  expect([plain.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([undefined, 'gzip']);
  expect(gzip.bytes).toBeLessThan(plain.bytes / 5);
  expect(gzip.headers.etag).not.toBe(plain.headers.etag);
  for (const [encoding, { headers }] of [
    ['identity', plain],
    ['gzip', gzip],
  ] as const) {
    const again = await get({ 'accept-encoding': encoding, 'if-none-match': headers.etag ?? '' });
    expect([again.status, again.bytes]).toEqual([304, 0]);
  }
});

test('readiness probes share one query per second', async () => {
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
  const statuses = await Promise.all(
    Array.from({ length: 30 }, async () => (await fetch(`${base}/readyz`)).status),
  );
  expect(statuses).toEqual(Array(30).fill(200));
  expect(reads).toBeLessThan(5);
});
