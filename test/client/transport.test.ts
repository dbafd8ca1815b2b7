import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parseRetryAfterSeconds } from '../../client/errors.ts';
import {
  type ClientOptions,
  createClient,
  NoResponseError,
  ParleyError,
  UnexpectedResponseError,
} from '../../client/index.ts';
import { nextQuery } from '../../client/pagination.ts';
import { startReceiver } from '../server/delivery/webhook-receiver.ts';

interface Scripted {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Delay before the response, in milliseconds. */
  afterMs?: number;
  cut?: true;
}

const errorBody = (code: number, headers: Record<string, string> = {}): Scripted => ({
  status: Math.floor(code / 100),
  headers,
  body: { code, message: 'No.', fields: '' },
});
const none: Scripted = { status: 0, cut: true };
const created: Scripted = { status: 201, body: { id: 5 } };
const fields: Scripted = { status: 200, body: [] };

/** Starts a server that sends the scripted responses in order and repeats the last one. Returns a client for it. */
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

/** Returns what a call throws. */
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('The call has succeeded.'),
    (error) => error,
  );

const create = { body: { first_name: 'Ada' } };

test('retries a create request with the same generated Idempotency-Key until it gets a response', async () => {
  const { parley, calls } = await startScripted([
    none,
    errorBody(50301, { 'Retry-After': '1' }),
    errorBody(40902),
    created,
  ]);
  expect((await parley.POST('/api/v1/contacts', create)).data).toEqual({ id: 5 });
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual(Array(4).fill(expect.stringMatching(/^[0-9a-f-]{36}$/)));
  expect(new Set(keys).size).toBe(1);
  expect(calls.map(({ body }) => body)).toEqual(Array(4).fill(JSON.stringify(create.body)));
  expect((calls[2]?.at ?? 0) - (calls[1]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test("generates an Idempotency-Key for each create request, and keeps the caller's own key", async () => {
  const { parley, calls } = await startScripted([created]);
  await parley.POST('/api/v1/contacts', create);
  await parley.POST('/api/v1/contacts', create);
  await parley.POST('/api/v1/contacts', { ...create, params: { header: { 'Idempotency-Key': 'mine' } } });
  const keys = calls.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

test('sends updates and deletes once, regardless of the result', async () => {
  const params = { path: { id: 1 } };
  const webhook = { verb_id: 3, entity_id: 2, action_id: 1, url: 'https://a.example/' } as const;
  for (const response of [errorBody(50301, { 'Retry-After': '1' }), none]) {
    const { parley, calls } = await startScripted([response]);
    const { throwing } = parley;
    const removed = await failureOf(throwing.DELETE('/api/v1/webhooks/{id}', { params }));
    const updated = await failureOf(throwing.PUT('/api/v1/webhooks/{id}', { params, body: webhook }));
    const wanted =
      response === none
        ? expect.any(NoResponseError)
        : expect.objectContaining({ code: 50301, retryAfter: 1 });
    expect([removed, updated, calls.length]).toEqual([wanted, wanted, 2]);
  }
});

test.each([40001, 40101, 40301, 40401, 40901, 42201, 42202, 50001, 50002])(
  'does not retry a request after error %i',
  async (code) => {
    const { parley, calls } = await startScripted([errorBody(code), fields]);
    expect([(await parley.GET('/api/v1/fields')).error?.code, calls.length]).toEqual([code, 1]);
  },
);

test('returns the error response immediately if Retry-After exceeds 30 s', async () => {
  const later = new Date(Date.now() + 90_000).toUTCString();
  const { parley, calls } = await startScripted([errorBody(42901, { 'Retry-After': later }), fields]);
  const { error } = await parley.GET('/api/v1/fields');
  expect([error?.code, calls.length]).toEqual([42901, 1]);
  expect(error?.retryAfter).toBeGreaterThan(80);
});

test('if no response arrives, reports the URL without its query, the number of attempts and the cause', async () => {
  const { parley, calls } = await startScripted([none], { retries: 1 });
  const params = { query: { query: 'secret' } };
  const failure = await failureOf(parley.GET('/api/v1/contacts/search', { params }));
  expect(failure).toBeInstanceOf(NoResponseError);
  expect(failure.message).toMatch(
    /^GET http:\/\/127\.0\.0\.1:\d+\/api\/v1\/contacts\/search: no response after 2 attempt/,
  );
  expect([failure.attempts, calls.length, failure.cause]).toEqual([2, 2, expect.any(TypeError)]);
});

test('aborts an attempt at its timeout, even while the body is arriving', async () => {
  const slow = await startScripted([{ ...fields, afterMs: 10_000 }], { timeoutMs: 500, retries: 1 });
  const failure = await failureOf(slow.parley.GET('/api/v1/fields'));
  expect([failure, failure.cause.name, slow.calls.length]).toEqual([
    expect.any(NoResponseError),
    'TimeoutError',
    2,
  ]);
  const endless = await startReceiver((_call, res) => {
    res.writeHead(200, { 'Content-Type': 'application/json' });
    res.write('[');
  });
  const parley = createClient({ baseUrl: endless.url, token: 't', timeoutMs: 500, retries: 0 });
  await expect(parley.GET('/api/v1/fields')).rejects.toMatchObject({ name: 'NoResponseError', attempts: 1 });
});

test('timeouts and signals still work after a garbage collection', async () => {
  // `global.gc` needs a flag, which has an effect on new contexts only.
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const slow = await startScripted([{ ...fields, afterMs: 30_000 }]);
  const failure = (options: Partial<ClientOptions>, signal?: AbortSignal) =>
    failureOf(
      createClient({ baseUrl: slow.url, token: 't', retries: 0, ...options }).GET(
        '/api/v1/fields',
        signal ? { signal } : {},
      ),
    );
  const timedOut = failure({ timeoutMs: 500 });
  const caller = new AbortController();
  const aborted = failure({}, caller.signal);
  await wait(200);
  collectGarbage();
  caller.abort(new Error('not needed any more'));
  expect(await timedOut).toBeInstanceOf(NoResponseError);
  expect(await aborted).toMatchObject({ message: 'not needed any more' });
});

test('an abort signal ends a call immediately with its reason, during and between attempts', async () => {
  const enough = new Error('enough');
  /** Returns a signal that aborts once `happened` returns true. */
  const abortedWhen = (happened: () => boolean): AbortSignal => {
    const stop = new AbortController();
    const timer = setInterval(() => {
      if (!happened()) return;
      clearInterval(timer);
      stop.abort(enough);
    }, 5);
    return stop.signal;
  };
  const slow = await startScripted([{ ...fields, afterMs: 5_000 }]);
  const read = slow.parley.GET('/api/v1/fields', { signal: abortedWhen(() => slow.calls.length === 1) });
  await expect(read).rejects.toBe(enough);
  const params = { path: { id: 1 } };
  const signal = abortedWhen(() => slow.calls.length === 2);
  await expect(slow.parley.DELETE('/api/v1/webhooks/{id}', { params, signal })).rejects.toBe(enough);

  const waiting = await startScripted([errorBody(50301, { 'Retry-After': '20' })]);
  const begun = performance.now();
  const between = abortedWhen(() => waiting.calls.length === 1 && performance.now() - begun > 200);
  await expect(waiting.parley.GET('/api/v1/fields', { signal: between })).rejects.toBe(enough);
  await expect(waiting.parley.GET('/api/v1/fields', { signal: between })).rejects.toBe(enough);
  // The call ends long before the 20 s of Retry-After are over.
  expect([waiting.calls.length, performance.now() - begun < 15_000]).toEqual([1, true]);

  let asked = false;
  const token = () => {
    asked = true;
    return new Promise<string>(() => {});
  };
  const never = await startScripted([fields], { token });
  await expect(never.parley.GET('/api/v1/fields', { signal: abortedWhen(() => asked) })).rejects.toBe(enough);
  expect([slow.calls.length, never.calls.length]).toEqual([2, 0]);
});

test('does not reveal an invalid token in the error, and sends no Authorization header for an empty one', async () => {
  const { url, calls, parley } = await startScripted([fields], { token: 'ply_secret\nply_other' });
  const failure = await failureOf(parley.GET('/api/v1/fields'));
  expect([failure, String(failure.message)]).toEqual([
    expect.any(TypeError),
    expect.not.stringContaining('secret'),
  ]);
  await createClient({ baseUrl: url, token: '' }).GET('/api/v1/fields');
  expect(calls.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test('stops when links between pages form a cycle, and requests the total only with the first page', async () => {
  const to = (page: number): Scripted => ({
    ...fields,
    headers: { Link: `</api/v1/contacts?page=${page}>; rel="next"` },
  });
  const { parley, calls } = await startScripted([to(2), to(3), to(2)]);
  let pages = 0;
  for await (const _ of parley.pages('/api/v1/contacts', { params: { header: { Prefer: 'count=exact' } } }))
    pages += 1;
  expect([pages, calls.map(({ headers }) => headers.prefer)]).toEqual([
    3,
    ['count=exact', undefined, undefined],
  ]);
});

test('a ParleyError serialized as JSON contains its status, code, message, fields and request ID', async () => {
  const { parley } = await startScripted([errorBody(40401)]);
  const { error } = await parley.GET('/api/v1/fields');
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    name: 'ParleyError',
    status: 404,
    code: 40401,
    message: 'No.',
    fields: '',
    requestId: 'r',
  });
});

test('ParleyError.locations does not split fields at a comma inside a property name', () => {
  const response = { status: 422, headers: new Headers() };
  const locations = (fields: string) =>
    new ParleyError(response, { code: 42201, message: 'No.', fields }).locations;
  expect(locations('/a, b, /fields/0/value, query/page, body')).toEqual([
    '/a, b',
    '/fields/0/value',
    'query/page',
    'body',
  ]);
  expect(locations('')).toEqual([]);
});

test.each([
  ['3', 3],
  ['Sun, 22 Nov 2026 12:00:10 GMT', 10],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['Sun Nov 22 12:00:10 2026', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  [null, undefined],
])('parses Retry-After %s as %s seconds', (header, seconds) => {
  expect(parseRetryAfterSeconds(header, Date.UTC(2026, 10, 22, 12))).toBe(seconds);
});

test.each<[string, Scripted]>([
  ['a login page', { status: 200, headers: { 'Content-Type': 'text/html' }, body: '<h1>Log in</h1>' }],
  ['an incomplete response', { status: 200, body: '[{"id":' }],
  ['an empty body', { status: 200, body: '' }],
  ['an error page of a proxy', { status: 403, headers: { 'Content-Type': 'text/html' }, body: 'Forbidden' }],
  ['an error response in another format', { status: 404, body: { error: 'not found' } }],
  [
    'an error response with another status',
    { status: 404, body: { code: 42201, message: 'No.', fields: '' } },
  ],
  ['a JSON sequence', { status: 200, headers: { 'Content-Type': 'application/json-seq' }, body: '[]' }],
  ['a redirect', { status: 301, headers: { Location: 'http://127.0.0.1:9/' }, body: '' }],
])('throws for %s, because the contract does not document it', async (_name, response) => {
  const { parley, calls } = await startScripted([response]);
  const failure = await failureOf(parley.GET('/api/v1/fields'));
  expect(failure).toBeInstanceOf(UnexpectedResponseError);
  expect([failure.status, calls.length]).toEqual([response.status, 1]);
});

test('retries after the delay that a proxy asks for when its upstream is unavailable', async () => {
  const away = {
    status: 503,
    headers: { 'Content-Type': 'text/html', 'Retry-After': '1' },
    body: 'Bad gateway',
  };
  const { parley, calls } = await startScripted([away, fields]);
  expect((await parley.GET('/api/v1/fields')).data).toEqual([]);
  expect((calls[1]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(990);
});

test('requests the next page under baseUrl, even if the link names another host', async () => {
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

test('rejects a token function that returns no string, and sends nothing', async () => {
  const tokens = new Map<string, string>();
  const { calls, parley } = await startScripted([fields], { token: () => tokens.get('mine') as string });
  await expect(parley.GET('/api/v1/fields')).rejects.toThrow(
    'The token function must return a string, not undefined.',
  );
  expect(calls).toEqual([]);
});

test.each<[options: object, message: RegExp]>([
  [{ token: undefined }, /^token must be a string, or a function that returns one, not undefined\.$/],
  [{ token: null }, /^token must be a string/],
  [{ baseUrl: undefined }, /^baseUrl must be a URL, not undefined\.$/],
  [{ baseUrl: '' }, /^baseUrl /],
  [{ baseUrl: 'parley.example.com' }, /^baseUrl /],
  [{ baseUrl: '/api' }, /^baseUrl /],
  [{ baseUrl: 'ftp://x' }, /^baseUrl /],
  [{ baseUrl: 'https://x/?a=1' }, /^baseUrl /],
  [{ baseUrl: 'https://a:secret@x/' }, /^baseUrl (?!.*secret)/],
  [{ baseUrl: 'https://x/api/v1/' }, /^baseUrl /],
  [{ retries: Number.NaN }, /^retries /],
  [{ retries: -1 }, /^retries /],
  [{ retries: 1.5 }, /^retries /],
  [{ timeoutMs: Number.NaN }, /^timeoutMs /],
  [{ timeoutMs: 0 }, /^timeoutMs /],
  [{ timeoutMs: 2 ** 31 }, /^timeoutMs /],
])('rejects the options %o before the first call', (options, message) => {
  expect(() => createClient({ baseUrl: 'http://x', token: 't', ...options })).toThrow(message);
});

test.each([
  ['</a?page=1>; rel="next"', 'page=1'],
  ['</a?page=0>; rel="first", </a?q=x%2Cy&page=2>; title="a, b"; rel="next last"', 'q=x%2Cy&page=2'],
  ['<?page=3#x>;rel=next', 'page=3'],
  ['</a>; REL="NEXT"', ''],
  ['</a?page=0>; rel="first"', undefined],
  ['</a?page=0>; rev="next"; title="rel=next"', undefined],
  ['nonsense <', undefined],
  ['</a?page=9>; title="a; rel=next"; rel="prev"', undefined],
  [null, undefined],
])('for the Link header %s, the query of the next page is %s', (link, query) => {
  expect(nextQuery(link)).toBe(query);
});
