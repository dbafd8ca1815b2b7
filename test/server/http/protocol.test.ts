import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ApiError } from '../../../server/contract/errors.ts';
import { errorResponse } from '../../../server/errors.ts';
import { startService } from '../../support/service.ts';

interface RawReply {
  status: number;
  headers: Record<string, string>;
  body: { code: number; message: string; fields: string } | undefined;
  closed: boolean;
}

/**
 * Sends raw bytes and reads responses until the server closes the connection, `firstMs` have passed without a byte, or
 * `quietMs` have passed since the last byte.
 */
function raw(
  base: string,
  chunks: readonly (string | Buffer)[],
  { firstMs = 30_000, quietMs = 200 } = {},
): Promise<RawReply[]> {
  const { port } = new URL(base);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      chunks.forEach((chunk) => void socket.write(chunk)),
    );
    let text = '';
    let closed = false;
    socket.on('data', (data) => {
      text += data.toString('latin1');
      clearTimeout(timer);
      // The server still responds to all requests that it has received.
      timer = setTimeout(() => socket.end(), quietMs);
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' ? undefined : reject(error),
    );
    let timer = setTimeout(() => socket.destroy(), firstMs);
    socket.on('end', () => {
      closed = !socket.writableEnded;
    });
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(repliesIn(text, closed));
    });
  });
}

function repliesIn(text: string, closed: boolean): RawReply[] {
  return text
    .split(/(?=HTTP\/1\.1 \d{3} )/)
    .filter(Boolean)
    .map((reply) => {
      const [head = '', body = ''] = reply.split('\r\n\r\n', 2);
      const [first = '', ...lines] = head.split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => [line.split(': ')[0]?.toLowerCase(), line.split(': ')[1]]),
      );
      return {
        status: Number(first.split(' ')[1]),
        headers,
        body: body ? JSON.parse(body) : undefined,
        closed,
      };
    });
}

const post = (token: string, ...lines: string[]) =>
  ['POST /api/v1/contacts HTTP/1.1', 'Host: x', `Authorization: Bearer ${token}`, ...lines, '', ''].join(
    '\r\n',
  );

/** Starts a service for which a token was issued. */
async function start(options: Parameters<typeof startService>[0] = {}) {
  const service = await startService(options);
  const { token } = await service.company.token();
  return { ...service, token };
}

const contact = '{"first_name":"Ada"}';
/** A request that creates a contact. */
const createContact = (token: string, ...lines: string[]) =>
  post(token, 'Content-Type: application/json', `Content-Length: ${contact.length}`, ...lines);

test.each([
  ['garbage', 'NONSENSE\r\n\r\n', 400, 40001],
  ['a missing Host', 'GET / HTTP/1.1\r\n\r\n', 400, 40001],
  ['an invalid Host', 'GET /healthz HTTP/1.1\r\nHost: a@b/c\r\n\r\n', 400, 40001],
  ['another version', 'GET /healthz HTTP/2.0\r\n\r\n', 400, 40001],
  ['chunks in HTTP/1.0', 'POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 400, 40001],
  [
    'two Authorization headers',
    'GET /api/v1/fields HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: b\r\nConnection: close\r\n\r\n',
    400,
    40001,
  ],
  ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n', 405, 40501],
  ['headers that are too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 43101],
])(
  'returns an error response with a request ID for %s, behind that to a create on the connection',
  async (_what, behind, status, code) => {
    const { base, api, token } = await start();
    const [created, rejected] = await raw(base, [createContact(token) + contact + behind]);
    expect(created?.status).toBe(201);
    expect((await api.listContacts()).body).toHaveLength(1);
    expect(rejected).toMatchObject({ status, body: { code }, closed: true });
    expect(rejected?.headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(rejected?.headers['content-type']).toBe('application/json');
  },
);

test("an early error response keeps the client's request ID, and has no body for HEAD", async () => {
  const { base } = await startService();
  const [reply] = await raw(base, ['GET / HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n']);
  expect(reply?.headers['x-request-id']).toBe('mine');
  const [head] = await raw(base, ['HEAD / HTTP/1.1\r\n\r\n']);
  expect(head).toMatchObject({ status: 400, body: undefined });
});

test('requires no Host of HTTP/1.0', async () => {
  const { base } = await startService();
  expect(await raw(base, ['GET /healthz HTTP/1.0\r\n\r\n'])).toMatchObject([{ status: 200 }]);
});

test('returns 408 for headers and bodies that take too long', async () => {
  const { base, token } = await start({ http: { requestTimeoutMs: 200 } });
  const [headers] = await raw(base, ['GET / HTTP/1.1\r\nHost: x\r\n']);
  const [body] = await raw(base, [post(token, 'Content-Type: application/json', 'Content-Length: 10'), '{']);
  for (const reply of [headers, body])
    expect(reply).toMatchObject({ status: 408, body: { code: 40801 }, closed: true });
});

test('sends 100 Continue only if the body would be read', async () => {
  const { base, token } = await start();
  const ask = (...lines: string[]) =>
    ['Content-Type: application/json', 'Expect: 100-continue', ...lines] as const;
  const taken = await raw(base, [post(token, ...ask('Content-Length: 2')), '{}']);
  const unauthenticated = await raw(base, [post('nobody', ...ask('Content-Length: 2'))]);
  const large = await raw(base, [post(token, ...ask('Content-Length: 2000000'))]);
  const other = await raw(base, [
    post(token, 'Content-Type: application/json', 'Expect: miracles', 'Content-Length: 2'),
    '{}',
  ]);
  expect(
    [taken, unauthenticated, large, other].map((replies) => replies.map(({ status }) => status)),
  ).toEqual([[100, 201], [401], [413], [201]]);
  expect(unauthenticated[0]?.headers.connection).toBe('close');
});

test.each([
  ['chunked', 'Transfer-Encoding: chunked', `10000\r\n${'x'.repeat(0x10000)}\r\n`],
  ['announced', 'Content-Length: 2000000', 'x'.repeat(0x10000)],
])(
  'rejects a large body (%s) before it ends, and the client receives the response',
  async (_name, header, chunk) => {
    const { base, token } = await start();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const received: string[] = [];
    socket.setEncoding('utf8').on('data', (text: string) => received.push(text));
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    socket.write(post(token, 'Content-Type: application/json', header));
    for (let count = 0; count < 17; count += 1) socket.write(chunk);
    await expect.poll(() => received.join('')).toMatch(/^HTTP\/1\.1 413 [\s\S]*"code":41301/);
    for (let count = 0; count < 5; count += 1) {
      await new Promise((resolve) => socket.write(chunk, resolve));
      await wait(20);
    }
    expect(errors).toEqual([]);
    // The client never sends the whole body, so the server closes the connection.
    const closed = once(socket, 'close');
    vi.advanceTimersByTime(5_000);
    await closed;
  },
);

test.each([
  ['with its body', (create: string, body: string) => [create + body]],
  ['before its body', (create: string, body: string) => [create, body]],
])('ignores Upgrade, and processes the request: %s', async (_what, split) => {
  const { base, api, token } = await start();
  const create = createContact(token, 'Connection: Upgrade', 'Upgrade: websocket');
  const [reply] = await raw(base, split(create, contact), { quietMs: 50 });
  expect([reply?.status, reply?.closed]).toEqual([201, false]);
  expect((await api.listContacts()).body).toHaveLength(1);
});

test('closes connections above the limit at once, and serves new ones when others have ended', async () => {
  const { base } = await startService({ http: { maxConnections: 2 } });
  const probe = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
  const idle = [1, 2].map(() => connect(Number(new URL(base).port), '127.0.0.1'));
  await Promise.all(idle.map((socket) => once(socket, 'connect')));
  expect(await raw(base, [probe])).toEqual([]);
  idle[0]?.destroy();
  await expect.poll(async () => (await raw(base, [probe])).map(({ status }) => status)).toEqual([200]);
  idle[1]?.destroy();
});

test.each([
  'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'NONSENSE\r\n\r\n',
  'GET / HTTP/1.1\r\nUpgrade: x\r\nConnection: upgrade\r\nHost: x\r\n\r\n',
])('a client that sends %j and resets its connection has no effect on other clients', async (bytes) => {
  const { base, api } = await startService();
  for (let count = 0; count < 20; count += 1) {
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    await new Promise((resolve) => socket.on('connect', resolve));
    socket.write(bytes, () => socket.resetAndDestroy());
    await new Promise((resolve) => socket.on('close', resolve));
  }
  expect((await api.listCustomFields()).status).toBe(200);
});

test('a client that half-closes its connection after a request still gets the response', async () => {
  const { base, store, token } = await start();
  const held = store.write(() => wait(100));
  const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1', allowHalfOpen: true });
  socket.end(createContact(token) + contact);
  let response = '';
  for await (const chunk of socket) response += chunk;
  await held;
  expect(response).toContain('201 Created');
});

test('discards a small body of a rejected request and keeps the connection', async () => {
  const { base, api, token } = await start();
  const [creation, unauthenticated] = [createContact(token) + contact, createContact('nobody') + contact];
  const replies = await raw(base, [
    unauthenticated,
    creation,
    unauthenticated.slice(0, -4),
    unauthenticated.slice(-4) + creation,
  ]);
  expect(replies.map((reply) => reply.status)).toEqual([401, 201, 401, 201]);
  expect((await api.listContacts()).body).toHaveLength(2);
});

test.each([
  ['http://x/api/v1/fields', 200],
  ['http://[', 400],
  ['http://', 400],
  ['ftp://x/api/v1/fields', 400],
  ['api/v1/fields', 400],
  ['/api/v1/fields#x', 400],
  ['*', 404],
])('a request for target %s returns %i as JSON with a request ID', async (target, status) => {
  const { base, token } = await start();
  const [reply] = await raw(base, [
    `GET ${target} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  ]);
  expect(reply?.status).toBe(status);
  expect(reply?.headers['content-type']).toBe('application/json');
  expect(reply?.headers['x-request-id']).toBeDefined();
});

test('a client that disconnects in the middle of its body causes no internal error', async () => {
  const { base, errors, api, token } = await start();
  await raw(base, [post(token, 'Content-Type: application/json', 'Content-Length: 10'), '{'], {
    firstMs: 100,
  });
  expect((await api.listCustomFields()).status).toBe(200);
  expect(errors).toEqual([]);
});

test.each([
  ['whole', contact, 401],
  ['half', contact.slice(0, 9), 400],
])(
  'a client that disconnects during authentication causes no internal error (%s body sent)',
  async (_much, sent, expected) => {
    const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
    const addresses: string[] = [];
    const { base, errors, records } = await startService({
      authenticate: async ({ address }) => {
        arrive();
        await wait(100);
        addresses.push(address());
        throw new ApiError(errorResponse('tokenUnknown'));
      },
    });
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    socket.on('error', () => {});
    socket.write(createContact('any') + sent);
    await arrived;
    socket.resetAndDestroy();
    await expect.poll(() => records.map(({ status }) => status)).toEqual([expected]);
    expect(errors).toEqual([]);
    // The address of the client is still known, so that the failure counts against its network (D33).
    expect(addresses[0]).toMatch(/127\.0\.0\.1$/);
  },
);

test('closes the connection without a second response if the rest of a small body never arrives', async () => {
  const { base } = await startService({ http: { requestTimeoutMs: 1_500 } });
  const half = post('nobody', 'Content-Type: application/json', 'Content-Length: 20');
  const replies = await raw(base, [`${half}{"a":`], { quietMs: 30_000 });
  expect(replies.map(({ status, closed }) => [status, closed])).toEqual([[401, true]]);
});
