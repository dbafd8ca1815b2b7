import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import type { Measurement } from '../../lib/statistics.ts';
import { createLabEnvironment } from '../environment.ts';
import { createTenants, sampleContact, sampleWebhook } from './tenants.ts';

const webhooks = 50;
const atOnce = 16;

/** The receiver that responds immediately shows the worker's own cost. The receiver with a delay is realistic. */
const receivers = [
  { name: 'immediately', answerMs: 0, contacts: 1_000 },
  { name: 'after 5 ms', answerMs: 5, contacts: 200 },
] as const;

/** Measures deliveries per second of one worker, compared with a process that only sends requests. */
export async function benchDeliveries(
  { database, rounds }: { database: string | undefined; rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const receiver of receivers) {
    const pairs: { bare: number; worker: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      onProgress(`deliveries, answered ${receiver.name}: round ${round} of ${rounds}`);
      pairs.push(await sideBySide(database, receiver));
    }
    measurements.push(
      {
        what: `bare loop of undici, responses ${receiver.name}, requests per second`,
        values: pairs.map(({ bare }) => bare),
      },
      { what: 'one worker, deliveries per second', values: pairs.map(({ worker }) => worker) },
      {
        what: 'one worker / bare loop',
        values: pairs.map(({ bare, worker }) => worker / bare),
        goal: { least: 0.5 },
      },
    );
  }
  return measurements;
}

async function sideBySide(
  database: string | undefined,
  { answerMs, contacts }: (typeof receivers)[number],
): Promise<{ bare: number; worker: number }> {
  const count = webhooks * contacts;
  const environment = createLabEnvironment(database);
  try {
    const receiver = await environment.receiver({ answerMs });
    const { output, child } = await environment.start(['server/main.ts'], {
      says: /http:\/\/\S+/,
      settings: { PARLEY_EMBEDDED_WORKER: 'no' },
    });
    const [tenant] = await createTenants(environment, /http:\/\/\S+/.exec(output)?.[0] ?? '', 1);
    if (!tenant) throw new Error('The database has no company.');
    const url = `http://127.0.0.1:${receiver.ports.healthy}/in`;
    for (let made = 0; made < webhooks; made += 1) await tenant.post('/webhooks', sampleWebhook(url));
    for (let made = 0; made < contacts; made += 50)
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => tenant.post('/contacts', sampleContact(made + at))),
      );
    await environment.end(child);

    await receiver.seen();
    const bare = await bareRate({ url, count, body: 'x'.repeat(700), seen: receiver.seen });
    await environment.start(['server/worker.ts'], {
      says: /sends webhooks/,
      settings: { PARLEY_DELIVERY_CONCURRENCY_PER_ORIGIN: String(atOnce) },
    });
    const calls: [string, number][] = [];
    while (calls.length < count) {
      await wait(100);
      calls.push(...(await receiver.seen()).calls);
    }
    return { bare, worker: rateOf(calls) };
  } finally {
    await environment.close();
  }
}

/** Returns requests per second. Skips the first tenth as warm-up: connections are opened, and code is compiled. */
function rateOf(calls: readonly [string, number][]): number {
  const timestamps = calls.map(([, at]) => at).sort((one, other) => one - other);
  const warm = timestamps.slice(Math.floor(timestamps.length / 10));
  return (1_000 * (warm.length - 1)) / ((warm.at(-1) ?? 0) - (warm[0] ?? 0));
}

async function bareRate({
  url,
  count,
  body,
  seen,
}: {
  url: string;
  count: number;
  body: string;
  seen: () => Promise<{ calls: [string, number][] }>;
}): Promise<number> {
  const settings = {
    BENCH_URL: url,
    BENCH_COUNT: String(count),
    BENCH_AT_ONCE: String(atOnce),
    BENCH_BODY: body,
  };
  const child = fork('scripts/lab/bench/baseline-sender.ts', { env: { ...process.env, ...settings } });
  if (child.pid) spawnSync('taskset', ['-cp', '0', String(child.pid)]);
  await once(child, 'exit');
  return rateOf((await seen()).calls);
}
