import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../support/databases.ts';

interface Instance {
  child: ChildProcess;
  base: string;
  log: () => string;
  isHealthy: boolean;
}

async function startInstance(databaseUrl: string, drainSeconds: string): Promise<Instance> {
  const child = spawn(process.execPath, ['server/main.ts', '--empty'], {
    env: {
      ...process.env,
      NODE_ENV: '',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      PARLEY_DRAIN_SECONDS: drainSeconds,
      PARLEY_METRICS_PORT: '0',
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let log = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (log += data));
  await expect.poll(() => log, { timeout: 15_000 }).toContain('"started"');
  return { child, base: /http:\/\/[\d.]+:\d+/.exec(out)?.[0] ?? '', log: () => log, isHealthy: true };
}

const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** A TCP balancer: connections go in turn to the instances whose last health check succeeded. */
async function startBalancer(instances: readonly Instance[], checkMs: number): Promise<string> {
  let turn = 0;
  const server = createServer((client) => {
    const healthy = instances.filter(({ isHealthy }) => isHealthy);
    turn += 1;
    const { port } = new URL(healthy[turn % healthy.length]?.base ?? 'http://127.0.0.1:1');
    const upstream = connect(Number(port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => {
    for (const instance of instances)
      void isOk(`${instance.base}/readyz`).then((ok) => {
        instance.isHealthy = ok;
      });
  }, checkMs);
  onTestFinished(() => {
    clearInterval(timer);
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('with PARLEY_DRAIN_SECONDS, no request through a balancer fails while an instance stops', async () => {
  const { url } = await createTestDatabase();
  const instances = [await startInstance(url, '1'), await startInstance(url, '1')];
  const base = await startBalancer(instances, 250);
  let [succeeded, failed, isOver] = [0, 0, false];
  const clients = Array.from({ length: 4 }, async () => {
    while (!isOver)
      if (await isOk(`${base}/openapi.json`)) succeeded += 1;
      else failed += 1;
  });
  await wait(300);
  const [leaving] = instances;
  leaving?.child.kill('SIGTERM');
  await expect.poll(() => leaving?.log(), { timeout: 10_000 }).toContain('"stopped"');
  await wait(300);
  isOver = true;
  await Promise.all(clients);
  expect(failed).toBe(0);
  expect(succeeded).toBeGreaterThan(20);
});

test('while it drains, a process is alive but not ready, on its port and on the metrics port', async () => {
  const { url } = await createTestDatabase();
  const { child, base, log } = await startInstance(url, '2');
  const metrics = /http:\/\/[\d.:]+(?=\/metrics)/.exec(log())?.[0] ?? '';
  const states = () =>
    Promise.all([base, metrics].flatMap((at) => [isOk(`${at}/healthz`), isOk(`${at}/readyz`)]));
  expect(await states()).toEqual([true, true, true, true]);
  child.kill('SIGTERM');
  await expect.poll(log).toContain('"stopping"');
  expect(await states()).toEqual([true, false, true, false]);
  const { headers } = await fetch(`${base}/openapi.json`);
  expect(headers.get('connection')).toBe('close');
  // A second signal ends the process immediately.
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(log()).not.toContain('"stopped"');
});
