import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test as it, onTestFinished, test } from 'vitest';
import { createHttpServer, type HttpServerOptions } from '../../../server/http/server.ts';
import { stopServer } from '../../../server/http/stop-server.ts';
import { startListening } from '../../support/start-listening.ts';

const get = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
const ok: RequestListener = (_req, res) => void res.end('ok');

/** Sends bytes on one connection. @returns the connection, and the statuses of the responses so far */
async function sendTo(
  app: RequestListener,
  bytes: string,
  onParsed: (req: IncomingMessage) => void = () => {},
  options: HttpServerOptions = {},
) {
  const server = createHttpServer(app, options);
  let parsed = 0;
  server.prependListener('request', (req) => {
    parsed += 1;
    onParsed(req);
  });
  const base = await startListening(server, onTestFinished);
  const socket = connect({ port: Number(new URL(base).port), host: '127.0.0.1' });
  onTestFinished(() => void socket.destroy());
  let text = '';
  let isClosed = false;
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket
    .on('error', () => {})
    .on('close', () => {
      isClosed = true;
    });
  socket.write(bytes);
  return {
    base,
    server,
    socket,
    parsed: () => parsed,
    isClosed: () => isClosed,
    statuses: () => Array.from(text.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status)),
  };
}

it('does not read further requests of a connection while many of them wait, and serves all of them later', async () => {
  const held: (() => void)[] = [];
  let holds = true;
  const client = await sendTo((req, res) => {
    if (holds) held.push(() => ok(req, res));
    else ok(req, res);
  }, get.repeat(2_000));
  await expect.poll(() => held.length).toBe(1);
  // Requests of other connections are served meanwhile, so the service has had time to read more.
  holds = false;
  for (let count = 0; count < 50; count += 1) expect((await fetch(client.base)).status).toBe(200);
  expect(client.parsed() - 50).toBeLessThan(200);
  held[0]?.();
  await expect.poll(() => client.statuses().length).toBe(2_000);
});

it('serves another connection between pipelined requests', async () => {
  const client = await sendTo(ok, get.repeat(2_000));
  await expect.poll(() => client.parsed(), { interval: 1 }).toBeGreaterThan(0);
  expect((await fetch(client.base)).status).toBe(200);
  expect(client.statuses().length).toBeLessThan(2_000);
});

it.each([
  ['without a Host', 'GET / HTTP/1.1\r\n\r\n', 400],
  ['with an invalid target', 'GET /# HTTP/1.1\r\nHost: a\r\n\r\n', 400],
])('does not parse thousands of requests after one %s', async (_what, request, status) => {
  const client = await sendTo(ok, request.repeat(2_000));
  await expect.poll(client.isClosed).toBe(true);
  expect(client.parsed()).toBeLessThan(200);
  expect(client.statuses()).toEqual([status]);
});

it.each([
  ['without a body', get],
  ['with an empty body', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n'],
  ['to upgrade', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'],
])('completes a waiting request %s that nothing follows', async (_what, request) => {
  const client = await sendTo(
    (req, res) => void req.resume().on('end', () => setImmediate(ok, req, res)),
    get + request,
  );
  await expect.poll(client.statuses).toEqual([200, 200]);
});

it('processes no request after a response that closes the connection', async () => {
  let processed = 0;
  const client = await sendTo((_req, res) => {
    processed += 1;
    if (processed === 3) res.setHeader('Connection', 'close');
    res.end();
  }, get.repeat(1_000));
  await expect.poll(client.isClosed).toBe(true);
  expect(processed).toBe(3);
});

it('passes on large bodies whole, and the request behind them', async () => {
  const sizes: number[] = [];
  const body = 'x'.repeat(1_000_000);
  const post = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const client = await sendTo(
    (req, res) => {
      let size = 0;
      req.on('data', (chunk: Buffer) => {
        size += chunk.length;
      });
      req.on('end', () => {
        sizes.push(size);
        res.end();
      });
    },
    (post + get).repeat(3),
  );
  await expect.poll(() => client.statuses()).toEqual(Array(6).fill(200));
  expect(sizes).toEqual([1_000_000, 0, 1_000_000, 0, 1_000_000, 0]);
});

it('reads the body of a waiting request only when it processes the request', async () => {
  const held: (() => void)[] = [];
  const waiting: IncomingMessage[] = [];
  const chunks = `${'1\r\na\r\n'.repeat(20_000)}0\r\n\r\n`;
  const post = `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`;
  const client = await sendTo(
    (req, res) => {
      if (req.method === 'GET') held.push(() => res.end());
      else req.resume().on('end', () => res.end());
    },
    get + post.repeat(3) + get,
    (req) => waiting.push(req),
  );
  await expect.poll(() => held.length).toBe(1);
  for (let count = 0; count < 50; count += 1)
    await fetch(client.base, { method: 'POST', body: '' }).then(({ status }) => expect(status).toBe(200));
  // A chunk takes 450 bytes of memory besides its content.
  const [, second] = waiting;
  expect(second?.readableLength).toBeLessThan(1_000);
  held[0]?.();
  await expect.poll(() => held.length).toBe(2);
  held[1]?.();
  await expect.poll(client.statuses).toEqual(Array(5).fill(200));
});

/** Requests that wait behind the first one, and the rest of the last of them. */
const late: Record<string, { sent: string; rest: string }> = {
  'the headers': { sent: `${get.repeat(17)}GET /late HT`, rest: 'TP/1.1\r\nHost: a\r\n\r\n' },
  'the body': {
    sent: `${get}POST /late HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n`,
    rest: 'x'.repeat(100_000),
  },
};

/** Sends requests of which the last is incomplete, and waits until it has exceeded its time limit by Node's clock. */
async function sendLate(sent: string) {
  const held: (() => void)[] = [];
  const app: RequestListener = (req, res) => {
    if (held.length === 0) held.push(() => ok(req, res));
    else req.resume().on('end', () => ok(req, res));
  };
  const client = await sendTo(app, sent, undefined, { requestTimeoutMs: 100 });
  for (let code = ''; code !== 'ERR_HTTP_REQUEST_TIMEOUT'; )
    code = await once(client.server, 'clientError').then(([error]) => error.code);
  return { ...client, release: () => held[0]?.() };
}

it.each(Object.keys(late))(
  'does not count the time in which it does not read %s of a waiting request',
  async (part) => {
    const { sent = '', rest = '' } = late[part] ?? {};
    const client = await sendLate(sent);
    client.socket.write(rest);
    client.release();
    const requests = sent.split('GET / ').length;
    await expect.poll(client.statuses).toEqual(Array(requests).fill(200));
  },
);

it.each(Object.keys(late))(
  'returns 408 to a client that stops sending %s after the connection is read again',
  async (part) => {
    const { sent = '', rest = '' } = late[part] ?? {};
    const client = await sendLate(sent);
    client.release();
    client.socket.write(rest.slice(0, -1));
    await expect.poll(client.isClosed).toBe(true);
    const requests = sent.split('GET / ').length - 1;
    expect(client.statuses()).toEqual([...Array(requests).fill(200), 408]);
  },
);

test('a connection stays open as long as the setting says', async () => {
  const server = createHttpServer((_req, res) => res.end('done'), { keepAliveMs: 7_000 });
  const { headers } = await fetch(await startListening(server));
  expect(headers.get('keep-alive')).toBe('timeout=7');
});

test('a server that stops responds to every request that was sent before', async () => {
  const server = createHttpServer((_req, res) => res.end('done'));
  const { port } = new URL(await startListening(server));
  const sockets = Array.from({ length: 200 }, () => connect(Number(port), '127.0.0.1'));
  const answers = sockets.map((socket) => text(socket).catch((error: Error) => error.message));
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [first] = sockets;
  if (first) await once(first, 'connect');
  // Most connections are not accepted yet, and no request was read.
  await stopServer(server, 0);
  const lost = (await Promise.all(answers)).filter((answer) => !answer.endsWith('done'));
  expect(lost).toEqual([]);
});
