import type { Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createSender, parseRetryAfterMs } from '../../../server/delivery/sender.ts';
import { startTcpServer } from '../../support/start-tcp-server.ts';
import { loopback } from './delivery-service.ts';

/** Sends a request to a server that responds with raw bytes. */
async function calling(respond: (socket: Socket) => void, callMs = 5_000) {
  const port = await startTcpServer((socket) => socket.once('data', () => respond(socket)));
  const sender = createSender({ policy: loopback, resolve: async () => [], now: Date.now, callMs });
  onTestFinished(() => sender.close());
  return sender.send({ method: 'POST', url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' });
}

/** Writes `first` once, and then `again` repeatedly, as fast as the client reads it. */
const endlessly = (first: string, again: string) => (socket: Socket) => {
  socket.write(first);
  const more = again.repeat(2_000);
  const write = () => {
    while (!socket.destroyed && socket.write(more));
  };
  socket.on('drain', write);
  write();
};

test.each([
  ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ['a frame that never ends', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5;', 'x'.repeat(30)],
])(
  'aborts an endless response (%s) long before the request timeout',
  async (_what, first, again) => {
    const result = await calling(endlessly(first, again), 60_000);
    expect(result.ms).toBeLessThan(10_000);
  },
  30_000,
);

test('counts a success status with an endless body as a success, without reading to the end', async () => {
  const result = await calling(endlessly('HTTP/1.1 200 OK\r\n\r\n', 'x'.repeat(50)), 60_000);
  expect(result).toMatchObject({ status: 200, answer: 'x'.repeat(1_024) });
});

test.each(['999', '600'])('reports the invalid status code %s as a connection error', async (status) => {
  const result = await calling((socket) => socket.end(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`));
  expect(result).toMatchObject({ problem: 'connection', message: expect.stringContaining(status) });
});

test('replaces the control characters of a stored response, except tabs and line breaks', async () => {
  const body = 'a\u001b[31m\u0000\u009b\tb\n';
  const length = Buffer.byteLength(body);
  const result = await calling((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\n\r\n${body}`),
  );
  expect(result.answer).toBe('a\uFFFD[31m\uFFFD\uFFFD\tb\n');
});

const now = Date.UTC(2026, 0, 5, 8);

test.each([
  ['120', 120_000],
  ['0', 0],
  ['99999999999999999999', 24 * 3_600_000],
  ['Mon, 05 Jan 2026 08:10:00 GMT', 600_000],
  ['Monday, 05-Jan-26 08:10:00 GMT', 600_000],
  ['Mon Jan  5 08:10:00 2026', 600_000],
  ['Mon, 05 Jan 2026 07:00:00 GMT', 0],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After: %s means %s ms', (text, ms) => {
  expect(parseRetryAfterMs(text, now)).toBe(ms);
});
