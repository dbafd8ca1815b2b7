import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../../../scripts/lab/tcp-proxy.ts';
import { openPostgres } from '../../../../server/storage/postgres/postgres-store.ts';
import { type WatchTimes, watchDatabase } from '../../../../server/storage/postgres/watch-database.ts';
import { insertCompany, listCompanies } from '../../../../server/storage/queries/companies.ts';
import { StoreUnavailable } from '../../../../server/storage/store.ts';
import { createTestDatabase } from '../../../support/databases.ts';

/** Starts a database behind a proxy. */
async function behindProxy() {
  const database = await createTestDatabase();
  const direct = new URL(database.url);
  const seen = new Set<string>();
  /** Returns the number of connections on which a watch has had a response so far. */
  const connected = async () => {
    const rows = await database.look(
      "select pid from pg_stat_activity where datname = current_database() and query = 'select 1'",
    );
    for (const row of rows) seen.add(JSON.stringify(row));
    return seen.size;
  };
  const proxy = await startProxy(Number(direct.port));
  onTestFinished(proxy.close);
  const url = new URL(direct);
  url.port = String(proxy.port);
  return { proxy, url: url.href, connected };
}

const quick: WatchTimes = { everyMs: 20, silentMs: 200, recoveryGraceMs: 100 };

/** Watches a database. */
async function watched(times: Partial<WatchTimes> = {}) {
  const { proxy, url, connected } = await behindProxy();
  let gone = 0;
  const watch = watchDatabase(url, {
    ...quick,
    ...times,
    onFailover: () => {
      gone += 1;
    },
  });
  onTestFinished(watch.end);
  await expect.poll(connected).toBe(1);
  return { proxy, gone: () => gone, connected, isResponsive: watch.isResponsive };
}

test('detects that a server disappeared silently if another server responds at its address', async () => {
  const { proxy, gone, connected } = await watched();
  expect(gone()).toBe(0);
  proxy.silence();
  await expect.poll(gone).toBe(1);
  proxy.silence();
  await expect.poll(gone).toBe(2);
  await expect.poll(connected).toBe(3);
});

test('does not mistake a slow database for a lost one', async () => {
  const delayMs = 600;
  const { proxy, gone, isResponsive } = await watched({ recoveryGraceMs: delayMs });
  proxy.delay(delayMs);
  await expect.poll(isResponsive, { interval: 5 }).toBe(false);
  // From now on, a new connection responds sooner than the old one, whose statement is still delayed.
  proxy.delay(0);
  await expect.poll(isResponsive).toBe(true);
  expect(gone()).toBe(0);
  // The database is still watched.
  proxy.silence();
  await expect.poll(gone).toBe(1);
});

test('does not mistake closed connections for a lost server', async () => {
  const { proxy, gone, connected } = await watched();
  proxy.cut();
  await expect.poll(connected).toBe(2);
  expect(gone()).toBe(0);
  proxy.silence();
  await expect.poll(gone).toBe(1);
});

test('statements that wait for a lost server end, and later statements use the new server', async () => {
  const { proxy, url, connected } = await behindProxy();
  const store = await openPostgres(url, { watch: quick });
  onTestFinished(() => store.close());
  await store.write((db) => insertCompany(db, { name: 'A', created_at: 1 }));
  // The watch compares its old connection with a new one.
  await expect.poll(connected).toBe(1);
  proxy.silence();
  const startedAt = performance.now();
  const reading = Array.from({ length: 15 }, () =>
    store.read(listCompanies).then(
      (rows) => rows.length,
      (error) => error,
    ),
  );
  const outcomes = await Promise.all(reading);
  // Without the watch, they would end after the timeout of a statement, 15 s.
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(outcomes.some((outcome) => outcome instanceof StoreUnavailable)).toBe(true);
  expect(outcomes.every((outcome) => outcome === 1 || outcome instanceof StoreUnavailable)).toBe(true);
  expect(await store.write((db) => insertCompany(db, { name: 'B', created_at: 2 }))).toBe(2);
  expect(await store.read(listCompanies)).toHaveLength(2);
  expect(await connected()).toBeGreaterThan(1);
});

const program = `
  import { openPostgres } from './server/storage/postgres/postgres-store.ts';
  import { listCompanies } from './server/storage/queries/companies.ts';
  const store = await openPostgres(process.env.URL, { watch: ${JSON.stringify(quick)} });
  if (process.env.LATER) {
    await Promise.all([1, 2, 3].map(() => store.read(listCompanies)));
    console.log('ready');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.stdin.unref();
    // The new connection responds before the old one counts as dead.
    while (store.health().state !== 'ok') await new Promise((resolve) => setTimeout(resolve, 10));
  }
  await store.close();
`;

test.each([false, true])(
  'a process exits after closing its store, with dead connections (true) or while the watch starts (false): %s',
  async (later) => {
    const { proxy, url, connected } = await behindProxy();
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, URL: url, LATER: later ? 'yes' : '' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const over = once(child, 'exit');
    if (later) {
      await once(child.stdout, 'data');
      await expect.poll(connected).toBe(1);
      proxy.silence();
      proxy.ignoreClose();
      await expect.poll(connected).toBe(2);
      child.stdin.write('close');
    }
    const ended = await Promise.race([over, wait(8_000, 'still there')]);
    expect(ended).toEqual([0, null]);
  },
);
