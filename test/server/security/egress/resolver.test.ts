import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { publicHttpsOnly } from '../../../../server/security/egress/policy.ts';
import {
  checkResolvedUrl,
  createHostResolver,
  resolveHost,
} from '../../../../server/security/egress/resolver.ts';

test('does not resolve a host that is an IP address', async () => {
  const asked: string[] = [];
  const resolve = async (name: string) => {
    asked.push(name);
    return [];
  };
  for (const url of ['https://8.8.8.8/', 'https://[2606:4700::1]/', 'https://127.1/', 'https://localhost/'])
    await checkResolvedUrl(url, publicHttpsOnly, resolve);
  expect(asked).toEqual([]);
  await checkResolvedUrl('https://Hooks.Example.com./x', publicHttpsOnly, resolve);
  expect(asked).toEqual(['hooks.example.com']);
});

test('returns no addresses for an unknown name within seconds', async () => {
  expect(await resolveHost('does-not-exist.invalid')).toEqual([]);
});

/** Starts a name server on loopback. Its records are grouped by type (1 is A, 28 is AAAA). @returns its address */
async function nameServer(records: Record<number, number[][]>): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    // RFC 1035, 4.1: a header of 12 bytes, the name, then two bytes each for the type and the class.
    const end = question.indexOf(0, 12) + 5;
    const asked = question.subarray(12, end);
    const type = asked.readUInt16BE(asked.length - 4);
    const responses = (records[type] ?? []).map((data) =>
      Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
    );
    const head = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, responses.length, 0, 0, 0, 0]);
    socket.send(Buffer.concat([head, asked, ...responses]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

test('resolves a name to all its IPv4 and IPv6 addresses', async () => {
  const private6 = [0xfd, ...Array<number>(14).fill(0), 1];
  const server = await nameServer({
    1: [
      [93, 184, 215, 14],
      [93, 184, 215, 15],
    ],
    28: [private6],
  });
  const resolve = createHostResolver([server]);
  expect(await resolve('hooks.example.com')).toEqual(['93.184.215.14', '93.184.215.15', 'fd00::1']);
  expect(await checkResolvedUrl('https://hooks.example.com/', publicHttpsOnly, resolve)).toContain(
    'not public',
  );
});

test('resolves a name that has only IPv4 addresses', async () => {
  expect(await createHostResolver([await nameServer({ 1: [[93, 184, 215, 14]] })])('a.example')).toEqual([
    '93.184.215.14',
  ]);
});
