import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../support/databases.ts';
import { isOk, startBalancer, startInstance } from './balanced-processes.ts';

const startDraining = (databaseUrl: string, drainSeconds: string) =>
  startInstance('main', {
    settings: {
      DATABASE_URL: databaseUrl,
      PARLEY_DRAIN_SECONDS: drainSeconds,
      PARLEY_METRICS_PORT: '0',
    },
  });

test('with PARLEY_DRAIN_SECONDS, no request through a balancer fails while an instance stops', async () => {
  const { url } = await createTestDatabase();
  const instances = [await startDraining(url, '1'), await startDraining(url, '1')];
  const base = await startBalancer(instances, 250);
  let [succeeded, failed, isOver] = [0, 0, false];
  const clients = Array.from({ length: 4 }, async () => {
    while (!isOver)
      if (await isOk(`${base}/openapi.json`)) succeeded += 1;
      else failed += 1;
  });
  await wait(300);
  const [leaving] = instances;
  await leaving?.stop();
  await wait(300);
  isOver = true;
  await Promise.all(clients);
  expect(failed).toBe(0);
  expect(succeeded).toBeGreaterThan(20);
});

test('while it drains, a process is alive but not ready, on its port and on the metrics port', async () => {
  const { url } = await createTestDatabase();
  const { child, base, log } = await startDraining(url, '2');
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
