import { setTimeout as wait } from 'node:timers/promises';
import { type Measurement, median, quantile } from '../../lib/statistics.ts';
import { createLabEnvironment } from '../environment.ts';
import { createTenants, sampleContact, sampleWebhook } from './tenants.ts';

const times = 50;

/** Measures how soon a webhook is called after a change, on an idle service. */
export async function benchDeliveryLatency(
  { database, rounds }: { database: string | undefined; rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const inProcess: number[][] = [];
  const apart: number[][] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [own, into] of [
      [true, inProcess],
      [false, apart],
    ] as const) {
      onProgress(`commit to first byte: round ${round + 1} of ${rounds}`);
      into.push(await waits(database, own));
    }
  const measurement = (what: string, values: number[][], most: number): Measurement[] => [
    { what: `${what}, median, ms`, values: values.map(median) },
    {
      what: `${what}, slowest of ${times}, ms`,
      values: values.map((each) => quantile(each, 1)),
      goal: { most },
    },
  ];
  const told = database?.startsWith('postgres') ? 'notified by the database' : 'found by polling';
  return [
    ...measurement('request to first byte, worker in the same process', inProcess, 50),
    ...measurement(
      `request to first byte, separate worker (${told})`,
      apart,
      told.startsWith('told') ? 50 : 250,
    ),
  ];
}

/** Measures from before the request to the first byte of the webhook request, including the commit. */
async function waits(database: string | undefined, own: boolean): Promise<number[]> {
  const environment = createLabEnvironment(database);
  try {
    const receiver = await environment.receiver();
    const { output } = await environment.start(['server/main.ts'], {
      says: /http:\/\/\S+/,
      settings: { PARLEY_EMBEDDED_WORKER: own ? 'yes' : 'no' },
    });
    if (!own) await environment.start(['server/worker.ts'], { says: /sends webhooks/ });
    const [tenant] = await createTenants(environment, /http:\/\/\S+/.exec(output)?.[0] ?? '', 1);
    if (!tenant) throw new Error('The database has no company.');
    await tenant.post('/webhooks', sampleWebhook(`http://127.0.0.1:${receiver.ports.healthy}/`));
    const waited: number[] = [];
    for (let number = -5; number < times; number += 1) {
      await wait(100 + (number % 7) * 13);
      await receiver.seen();
      const begun = performance.timeOrigin + performance.now();
      await tenant.post('/contacts', sampleContact(number));
      let call: [string, number] | undefined;
      for (let looks = 0; !call && looks < 500; looks += 1) {
        [call] = (await receiver.seen()).calls;
        if (!call) await wait(2);
      }
      if (!call) throw new Error('The event did not arrive.');
      // Warm-up.
      if (number >= 0) waited.push(call[1] - begun);
    }
    return waited;
  } finally {
    await environment.close();
  }
}
