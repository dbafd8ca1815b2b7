import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../scripts/machines/proxy.ts';
import { insertCompany, listCompanies } from '../../server/storage/companies.ts';
import { openPostgres } from '../../server/storage/postgres.ts';
import { watchConnections } from '../../server/storage/postgres-watch.ts';
import { StoreUnavailable } from '../../server/storage/store.ts';
import { freshDatabase } from '../databases/fresh.ts';

/** A database that is reached through a proxy. */
async function behindProxy() {
  const direct = new URL((await freshDatabase()).url);
  const proxy = await startProxy(Number(direct.port));
  onTestFinished(proxy.close);
  const url = new URL(direct);
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

const quick = { everyMs: 20, silentMs: 200 };

async function watched() {
  const { proxy, url } = await behindProxy();
  let gone = 0;
  onTestFinished(
    watchConnections(
      url,
      () => {
        gone += 1;
      },
      quick,
    ),
  );
  await wait(300);
  return { proxy, gone: () => gone };
}

test('a machine that is gone without a word is found out when the same address answers elsewhere', async () => {
  const { proxy, gone } = await watched();
  expect(gone()).toBe(0);
  proxy.silence();
  await expect.poll(gone, { timeout: 10_000 }).toBe(1);
  proxy.silence();
  await expect.poll(gone, { timeout: 10_000 }).toBe(2);
});

test('a database that is slow for everybody is not taken for one that is gone', async () => {
  const { proxy, gone } = await watched();
  proxy.delay(400);
  await wait(2_000);
  proxy.delay(0);
  await wait(2_000);
  expect(gone()).toBe(0);
  // It still watches.
  proxy.silence();
  await expect.poll(gone, { timeout: 10_000 }).toBe(1);
});

test('connections that are cut are no machine that is gone', async () => {
  const { proxy, gone } = await watched();
  proxy.cut();
  await wait(600);
  expect(gone()).toBe(0);
  proxy.silence();
  await expect.poll(gone, { timeout: 10_000 }).toBe(1);
});

test('what waits for a machine that is gone is told so within seconds, and what comes next is done elsewhere', async () => {
  const { proxy, url } = await behindProxy();
  const store = await openPostgres(url, { watch: true });
  onTestFinished(() => store.close());
  await store.write((db) => insertCompany(db, { name: 'A', created_at: 1 }));
  let told = 0;
  onTestFinished(
    store.onDeliveries(() => {
      told += 1;
    }),
  );
  // The watch has to have something to compare with.
  await wait(1_500);
  proxy.silence();
  const startedAt = performance.now();
  const reading = Array.from({ length: 15 }, () =>
    store.read(listCompanies).then(
      (rows) => rows.length,
      (error) => error,
    ),
  );
  const outcomes = await Promise.all(reading);
  expect(performance.now() - startedAt).toBeLessThan(9_000);
  expect(outcomes.some((outcome) => outcome instanceof StoreUnavailable)).toBe(true);
  expect(outcomes.every((outcome) => outcome === 1 || outcome instanceof StoreUnavailable)).toBe(true);
  expect(await store.write((db) => insertCompany(db, { name: 'B', created_at: 2 }))).toBe(2);
  expect(await store.read(listCompanies)).toHaveLength(2);
  // The line on which other processes are heard was silent, too.
  await expect.poll(() => told, { timeout: 5_000 }).toBeGreaterThan(1);
});
