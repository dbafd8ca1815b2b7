import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Dial, dialDirectly } from '../../../server/delivery/dial.ts';
import { createSender, type SenderOptions } from '../../../server/delivery/sender.ts';
import {
  blockedIpv4Ranges,
  blockedIpv6Ranges,
  cloudMetadataRanges,
} from '../../../server/security/egress/blocked-ranges.ts';
import { sampleCount, seed } from '../../support/sampling.ts';
import { startTcpServer } from '../../support/start-tcp-server.ts';
import { addressSpellings } from './address-spellings.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Starts a listener on a forbidden address of each address family. The listeners count connections. */
async function canaries() {
  let connections = 0;
  const onConnection = (socket: Socket) => {
    connections += 1;
    socket.destroy();
  };
  const port = await startTcpServer(onConnection);
  await startTcpServer(onConnection, { port, host: '::1' });
  return { port, connections: () => connections };
}

function senderWith(options: Partial<SenderOptions> = {}) {
  const dialled: string[][] = [];
  const dial: Dial = (addresses, port, signal) => {
    dialled.push([...addresses]);
    return (options.dial ?? dialDirectly)(addresses, port, signal);
  };
  const sender = createSender({
    // These addresses may be called over http too.
    policy: { allowedNetworks: ['http:8.8.8.8/32', 'http:192.0.1.1/32'] },
    resolve: async () => [],
    now: Date.now,
    callMs: 2_000,
    connectMs: 1_000,
    ...options,
    dial,
  });
  onTestFinished(() => sender.close());
  const call = (url: string) => sender.send({ method: 'POST', url, headers: {}, body: '{}' });
  return { call, dialled };
}

const members = [...blockedIpv4Ranges, ...blockedIpv6Ranges, ...cloudMetadataRanges].map(
  ({ network }) => network,
);
const loopbacks = ['127.0.0.1', '127.0.0.2', '127.255.255.254', '0.0.0.0', '::1', '::'];

test('never connects to a forbidden address, in any spelling', async () => {
  const { port, connections } = await canaries();
  const { call, dialled } = senderWith();
  const met = new Set<string>();
  const count = sampleCount(10_000);
  const corpus = fc.sample(addressSpellings([...loopbacks, ...loopbacks, ...members]), {
    numRuns: count,
    seed,
  });
  for (let done = 0; done < corpus.length; done += 100)
    await Promise.all(
      corpus.slice(done, done + 100).map(async ({ host, means }) => {
        const scheme = (done / 100) % 2 === 0 ? 'http' : 'https';
        const result = await call(`${scheme}://${host}:${port}/`);
        // An invalid URL or an unknown name gets no response either.
        expect(result.status, host).toBeUndefined();
        if (result.problem === 'forbidden') met.add(means);
      }),
    );
  expect([corpus.length >= 10_000, connections(), dialled]).toEqual([true, 0, []]);
  expect([...new Set([...loopbacks, ...members])].filter((address) => !met.has(address))).toEqual([]);
});

test('does not connect to a host with a forbidden address, even if another of its addresses is allowed', async () => {
  const { port, connections } = await canaries();
  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['8.8.8.8', '127.0.0.1'],
    ['::ffff:127.0.0.1'],
    ['10.0.0.1'],
  ]) {
    const { call, dialled } = senderWith({ resolve: async () => addresses });
    expect(await call(`http://hooks.example.com:${port}/`)).toMatchObject({ problem: 'forbidden' });
    expect(dialled).toEqual([]);
  }
  expect(connections()).toBe(0);
});

test('connects only to checked addresses when a host alternates between public and forbidden addresses', async () => {
  const { port, connections } = await canaries();
  let asked = 0;
  const resolve = async () => {
    asked += 1;
    return asked % 2 === 1 ? ['192.0.1.1'] : ['127.0.0.1'];
  };
  // Connecting always fails, because the public address cannot be reached from this machine.
  const { call, dialled } = senderWith({
    resolve,
    dial: async () => Promise.reject(new Error('unreachable')),
  });
  const results = [];
  for (let round = 0; round < 40; round += 1) results.push(await call(`http://rebind.example.com:${port}/`));
  expect(new Set(results.map(({ problem }) => problem))).toEqual(new Set(['connection', 'forbidden']));
  expect(dialled).toEqual(Array(20).fill(['192.0.1.1']));
  expect(connections()).toBe(0);
});

test('closes a socket without writing to it if it is connected to a forbidden address', async () => {
  const bytes: Buffer[] = [];
  const port = await startTcpServer((socket) => socket.on('data', (part) => bytes.push(part)));
  // A middlebox, such as NAT, can redirect a connection to another address.
  const dial: Dial = async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  for (const scheme of ['http', 'https']) {
    const { call } = senderWith({ resolve: async () => ['8.8.8.8'], dial });
    expect(await call(`${scheme}://hooks.example.com:${port}/`)).toMatchObject({ problem: 'forbidden' });
  }
  expect(Buffer.concat(bytes).length).toBe(0);
});

test('ignores proxy variables in the environment', async () => {
  const proxy = await startReceiver();
  const receiver = await startReceiver();
  for (const name of [
    'HTTP_PROXY',
    'http_proxy',
    'HTTPS_PROXY',
    'https_proxy',
    'ALL_PROXY',
    'NODE_USE_ENV_PROXY',
  ])
    vi.stubEnv(name, name.startsWith('NODE') ? '1' : proxy.url);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { call } = senderWith({ policy: { allowedNetworks: ['http:127.0.0.0/8'] } });
  expect(await call(receiver.url)).toMatchObject({ status: 200 });
  expect([proxy.calls.length, receiver.calls.length]).toEqual([0, 1]);
});

test('passes the checked address to a configured proxy, never a forbidden one', async () => {
  const receiver = await startReceiver();
  const proxy = await startReceiver();
  const asked: [string | undefined, string | undefined][] = [];
  proxy.server.on('connect', (req, socket) => {
    asked.push([req.url, req.headers['proxy-authorization']]);
    const onward = connect(receiver.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  const proxyUrl = new URL(`http://user:p%40ss@127.0.0.1:${proxy.port}`);
  const through = (resolve: () => Promise<string[]>) => {
    const sender = createSender({
      policy: { allowedNetworks: ['http:8.8.8.8/32'] },
      resolve,
      now: Date.now,
      proxy: proxyUrl,
    });
    onTestFinished(() => sender.close());
    return sender.send({ method: 'POST', url: 'http://hooks.example.com/in', headers: {}, body: '{}' });
  };
  expect(await through(async () => ['8.8.8.8'])).toMatchObject({ status: 200 });
  expect(await through(async () => ['127.0.0.1'])).toMatchObject({ problem: 'forbidden' });
  expect(asked).toEqual([['8.8.8.8:80', `Basic ${Buffer.from('user:p@ss').toString('base64')}`]]);
  expect(receiver.calls).toMatchObject([{ headers: { host: 'hooks.example.com' }, url: '/in' }]);
});
