import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startProxy } from '../../../../scripts/lab/tcp-proxy.ts';
import { detectFailover } from '../../../../server/storage/postgres/failover-detector.ts';
import { openPostgres } from '../../../../server/storage/postgres/postgres-store.ts';
import { insertCompany, listCompanies } from '../../../../server/storage/queries/companies.ts';
import { StoreUnavailable } from '../../../../server/storage/store.ts';
import { createTestDatabase } from '../../../support/databases.ts';

/** Starts a database behind a proxy. */
async function behindProxy() {
  const direct = new URL((await createTestDatabase()).url);
  const proxy = await startProxy(Number(direct.port));
  onTestFinished(proxy.close);
  const url = new URL(direct);
  url.port = String(proxy.port);
  return { proxy, url: url.href };
}

// On a busy machine, a response of the database takes a few hundred milliseconds.
const quick = { everyMs: 20, silentMs: 1_000, recoveryGraceMs: 300 };

async function watched() {
  const { proxy, url } = await behindProxy();
  let gone = 0;
  const watch = detectFailover(
    url,
    () => {
      gone += 1;
    },
    quick,
  );
  onTestFinished(watch.end);
  await wait(500);
  return { proxy, gone: () => gone, isAnswered: watch.isResponsive };
}

test('detects that a server disappeared silently if another server responds at its address', async () => {
  const { proxy, gone } = await watched();
  expect(gone()).toBe(0);
  proxy.silence();
  await expect.poll(gone).toBe(1);
  proxy.silence();
  await expect.poll(gone).toBe(2);
});

test('does not mistake a slow database for a lost one', async () => {
  const { proxy, gone, isAnswered } = await watched();
  await expect.poll(isAnswered).toBe(true);
  proxy.delay(1_500);
  await expect.poll(isAnswered).toBe(false);
  await wait(1_500);
  proxy.delay(0);
  await expect.poll(isAnswered).toBe(true);
  expect(gone()).toBe(0);
  // The detector still watches the server.
  proxy.silence();
  await expect.poll(gone).toBe(1);
});

test('does not mistake closed connections for a lost server', async () => {
  const { proxy, gone } = await watched();
  proxy.cut();
  await wait(500);
  expect(gone()).toBe(0);
  proxy.silence();
  await expect.poll(gone).toBe(1);
});

test('statements that wait for a lost server end within 20 s, and later statements use the new server', async () => {
  const { proxy, url } = await behindProxy();
  const store = await openPostgres(url, { watch: quick });
  onTestFinished(() => store.close());
  await store.write((db) => insertCompany(db, { name: 'A', created_at: 1 }));
  let told = 0;
  onTestFinished(
    store.onDeliveriesEnqueued(() => {
      told += 1;
    }),
  );
  // Gives the detector time to connect, because it compares its old connection with a new one.
  await wait(500);
  proxy.silence();
  const startedAt = performance.now();
  const reading = Array.from({ length: 15 }, () =>
    store.read(listCompanies).then(
      (rows) => rows.length,
      (error) => error,
    ),
  );
  const outcomes = await Promise.all(reading);
  expect(performance.now() - startedAt).toBeLessThan(20_000);
  expect(outcomes.some((outcome) => outcome instanceof StoreUnavailable)).toBe(true);
  expect(outcomes.every((outcome) => outcome === 1 || outcome instanceof StoreUnavailable)).toBe(true);
  expect(await store.write((db) => insertCompany(db, { name: 'B', created_at: 2 }))).toBe(2);
  expect(await store.read(listCompanies)).toHaveLength(2);
  // The LISTEN connection was silent too. Listeners are called when it is replaced.
  await expect.poll(() => told).toBeGreaterThan(1);
});

const program = `
  import { openPostgres } from './server/storage/postgres/postgres-store.ts';
  import { listCompanies } from './server/storage/queries/companies.ts';
  const store = await openPostgres(process.env.URL, { watch: ${JSON.stringify(quick)} });
  store.onDeliveriesEnqueued(() => {});
  if (process.env.LATER) {
    await Promise.all([1, 2, 3].map(() => store.read(listCompanies)));
    process.stdout.write('reads');
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.stdin.unref();
  }
  await store.close();
`;

test.each([false, true])(
  'a process exits after closing its store, with dead connections (true) or during detector startup (false): %s',
  async (later) => {
    const { proxy, url } = await behindProxy();
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, URL: url, LATER: later ? 'yes' : '' },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const over = once(child, 'exit');
    if (later) {
      await once(child.stdout, 'data');
      await wait(500);
      proxy.silence();
      proxy.ignoreClose();
      // Gives the detector time to notice that the connections are dead.
      await wait(2_500);
      child.stdin.write('close');
    }
    const ended = await Promise.race([over, wait(8_000, 'still there')]);
    expect(ended).toEqual([0, null]);
  },
);
