import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ClientOptions, createClient, NoAnswer, UnexpectedAnswer } from '../../client/main.ts';
import { nextQuery } from '../../client/pages.ts';
import { waitBeforeNext } from '../../client/retries.ts';
import { startReceiver } from '../delivery/receiver.ts';
import { runs, seed } from '../sample.ts';

interface Scripted {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Before the answer; or never. */
  afterMs?: number;
  cut?: true;
}

const refusal = (code: number, headers: Record<string, string> = {}): Scripted => ({
  status: Math.floor(code / 100),
  headers,
  body: { code, message: 'No.', fields: '' },
});
const none: Scripted = { status: 0, cut: true };
const created: Scripted = { status: 201, body: { id: 5 } };
const fields: Scripted = { status: 200, body: [] };

/** A service that answers by a script, the last line over and over. */
async function startScripted(script: Scripted[], options: Partial<ClientOptions> = {}) {
  const receiver = await startReceiver(async (_call, res) => {
    const {
      status,
      headers = {},
      body,
      afterMs = 0,
      cut,
    } = (script.length > 1 ? script.shift() : script[0]) ?? none;
    await wait(afterMs);
    if (cut) return res.destroy();
    res.writeHead(status, { 'Content-Type': 'application/json', 'X-Request-Id': 'r', ...headers });
    res.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { ...receiver, parley: createClient({ baseUrl: receiver.url, token: 't', ...options }) };
}

const create = { body: { first_name: 'Ada' } };

test('a create is repeated under one key of the client’s own, until it is answered', async () => {
  const { parley, calls } = await startScripted([
    none,
    refusal(50301, { 'Retry-After': '1' }),
    refusal(40902),
    created,
  ]);
  expect((await parley.POST('/api/v1/contacts', create)).data).toEqual({ id: 5 });
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual(Array(4).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  expect(new Set(keys).size).toBe(1);
  expect(calls.map(({ body }) => body)).toEqual(Array(4).fill(JSON.stringify(create.body)));
  expect((calls[2]?.at ?? 0) - (calls[1]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test('two creates have two keys, and the caller’s own key is kept', async () => {
  const { parley, calls } = await startScripted([created]);
  await parley.POST('/api/v1/contacts', create);
  await parley.POST('/api/v1/contacts', create);
  await parley.POST('/api/v1/contacts', { ...create, params: { header: { 'Idempotency-Key': 'mine' } } });
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

test('updates and deletes are sent once, whatever comes of it', async () => {
  const { parley, calls } = await startScripted([refusal(50301, { 'Retry-After': '1' })]);
  const removed = await parley.DELETE('/api/v1/webhooks/{id}', { params: { path: { id: 1 } } });
  expect([removed.error?.code, removed.error?.retryAfter, calls.length]).toEqual([50301, 1, 1]);
});

test.each([40001, 40101, 40301, 40401, 40901, 42201, 42202, 50001, 50002])(
  '%i is not repeated',
  async (code) => {
    const { parley, calls } = await startScripted([refusal(code), fields]);
    expect([(await parley.GET('/api/v1/fields')).error?.code, calls.length]).toEqual([code, 1]);
  },
);

test('whoever is to wait longer than half a minute gets the refusal at once', async () => {
  const later = new Date(Date.now() + 90_000).toUTCString();
  const { parley, calls } = await startScripted([refusal(42901, { 'Retry-After': later }), fields]);
  const { error } = await parley.GET('/api/v1/fields');
  expect([error?.code, calls.length]).toEqual([42901, 1]);
  expect(error?.retryAfter).toBeGreaterThan(80);
});

test('nobody there is told with the address, the number of attempts and the cause', async () => {
  const { parley, calls } = await startScripted([none], { retries: 1 });
  const failure = await parley
    .GET('/api/v1/contacts/search', { params: { query: { query: 'secret' } } })
    .catch((e) => e);
  expect(failure).toBeInstanceOf(NoAnswer);
  expect(failure.message).toMatch(
    /^GET http:\/\/127\.0\.0\.1:\d+\/api\/v1\/contacts\/search: no answer after 2 attempt/,
  );
  expect([failure.attempts, calls.length, failure.cause]).toEqual([2, 2, expect.any(TypeError)]);
});

test('an attempt that takes too long is given up, an answer that does not end too', async () => {
  const slow = await startScripted([{ ...fields, afterMs: 2_000 }], { timeoutMs: 60, retries: 1 });
  const failure = await slow.parley.GET('/api/v1/fields').catch((e) => e);
  expect([failure, failure.cause.name, slow.calls.length]).toEqual([expect.any(NoAnswer), 'TimeoutError', 2]);
  const endless = await startReceiver((_call, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.write('[');
  });
  const parley = createClient({ baseUrl: endless.url, token: 't', timeoutMs: 60, retries: 0 });
  await expect(parley.GET('/api/v1/fields')).rejects.toMatchObject({ name: 'NoAnswer', attempts: 1 });
});

test('a signal ends a call at once, in an attempt as between two, with its own reason', async () => {
  const { parley, calls } = await startScripted([{ ...fields, afterMs: 2_000 }]);
  const inAttempt = AbortSignal.timeout(50);
  await expect(parley.GET('/api/v1/fields', { signal: inAttempt })).rejects.toThrow(inAttempt.reason);
  expect(calls).toHaveLength(1);
  const waiting = await startScripted([refusal(50301, { 'Retry-After': '20' })]);
  const stop = new AbortController();
  setTimeout(() => stop.abort(new Error('enough')), 100);
  await expect(waiting.parley.GET('/api/v1/fields', { signal: stop.signal })).rejects.toThrow('enough');
  await expect(waiting.parley.GET('/api/v1/fields', { signal: stop.signal })).rejects.toThrow('enough');
  expect(waiting.calls).toHaveLength(1);
});

test.each<[string, Scripted]>([
  [
    'a page for logging in',
    { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Log in</h1>' },
  ],
  ['half an answer', { status: 200, body: '[{"id":' }],
  ['nothing', { status: 200, body: '' }],
  ['a proxy’s refusal', { status: 403, headers: { 'Content-Type': 'text/html' }, body: 'Forbidden' }],
  ['a refusal in another form', { status: 404, body: { error: 'not found' } }],
  ['a refusal with another status', { status: 404, body: { code: 42201, message: 'No.', fields: '' } }],
  ['a way elsewhere', { status: 301, headers: { Location: 'http://127.0.0.1:9/' }, body: '' }],
])('%s is thrown, and never taken for what the contract documents', async (_name, answer) => {
  const { parley, calls } = await startScripted([answer]);
  const failure = await parley.GET('/api/v1/fields').catch((e) => e);
  expect(failure).toBeInstanceOf(UnexpectedAnswer);
  expect([failure.status, calls.length]).toEqual([answer.status, 1]);
});

test('a proxy that is without its service for a moment is asked again, and not before it says', async () => {
  const away = {
    status: 503,
    headers: { 'Content-Type': 'text/html', 'Retry-After': '1' },
    body: 'Bad gateway',
  };
  const { parley, calls } = await startScripted([away, fields]);
  expect((await parley.GET('/api/v1/fields')).data).toEqual([]);
  expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test('a redirect is not followed: a POST would come out as a GET', async () => {
  const elsewhere = await startReceiver((_call, res) => res.end('[]'));
  const { parley } = await startScripted([{ status: 302, headers: { Location: elsewhere.url }, body: '' }]);
  await expect(parley.POST('/api/v1/contacts', create)).rejects.toThrow(UnexpectedAnswer);
  expect(elsewhere.calls).toEqual([]);
});

test('a page that names itself as the next one is read once more, and then no further', async () => {
  const { parley, calls } = await startScripted([
    { ...fields, headers: { Link: '</api/v1/contacts?page=1>; rel="next"' } },
  ]);
  let pages = 0;
  for await (const _ of parley.pages('/api/v1/contacts')) pages += 1;
  expect([pages, calls.map(({ url }) => url)]).toEqual([2, ['/api/v1/contacts', '/api/v1/contacts?page=1']]);
});

test('behind a prefix the next page is asked for with the prefix, and never at another host', async () => {
  const { url, calls } = await startScripted([
    { ...fields, headers: { Link: '<http://evil.example/api/v1/contacts?page=1&per_page=20>; rel="next"' } },
    fields,
  ]);
  const prefixed = createClient({ baseUrl: `${url}parley/`, token: 't' });
  for await (const _ of prefixed.pages('/api/v1/contacts'));
  expect(calls.map((call) => call.url)).toEqual([
    '/parley/api/v1/contacts',
    '/parley/api/v1/contacts?page=1&per_page=20',
  ]);
});

test('only an address with a scheme is a base', () => {
  for (const baseUrl of ['', 'parley.example.com', '/api', 'ftp://x', 'https://x/?a=1'])
    expect(() => createClient({ baseUrl, token: 't' }), baseUrl).toThrow(/baseUrl must be/);
});

test('the wait grows, is spread, is never shorter than asked for, and ends', () => {
  const outcome = fc.record({
    status: fc.constantFrom(undefined, 408, 429, 502, 503, 504),
    retryAfter: fc.option(fc.nat(60), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      outcome,
      fc.integer({ min: 1, max: 9 }),
      fc.nat(9),
      fc.double({ min: 0, max: 1, noNaN: true }),
      ({ status, retryAfter }, made, retries, chance) => {
        const waitMs = waitBeforeNext({ ...(status ? { status } : {}), retryAfter }, made, retries, chance);
        const asked = retryAfter ?? 0;
        if (made > retries || asked > 30) return waitMs === undefined;
        return (
          waitMs !== undefined &&
          waitMs >= asked * 1_000 &&
          waitMs <= asked * 1_000 + Math.min(8_000, 250 * 2 ** (made - 1))
        );
      },
    ),
    { seed, numRuns: runs(200) },
  );
});

test.each([
  ['</a?page=1>; rel="next"', 'page=1'],
  ['</a?page=0>; rel="first", </a?q=x%2Cy&page=2>; title="a, b"; rel="next last"', 'q=x%2Cy&page=2'],
  ['<?page=3#x>;rel=next', 'page=3'],
  ['</a>; REL="NEXT"', ''],
  ['</a?page=0>; rel="first"', undefined],
  ['</a?page=0>; rev="next"; title="rel=next"', undefined],
  ['nonsense <', undefined],
  [null, undefined],
])('the next page of %s is %s', (link, query) => {
  expect(nextQuery(link)).toBe(query);
});
