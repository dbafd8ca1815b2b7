import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createHttpServer } from '../../../server/http/server.ts';
import { stopServer } from '../../../server/http/stop-server.ts';
import { startListening } from '../../support/start-listening.ts';

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
