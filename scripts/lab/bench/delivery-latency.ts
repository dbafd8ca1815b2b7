import { setTimeout as wait } from 'node:timers/promises';
import { type Figure, median, quantile } from '../../lib/statistics.ts';
import { createSurroundings } from '../environment.ts';
import { aContact, aWebhook, makeCustomers } from './tenants.ts';

const times = 50;

/** How soon after a change its webhook is called, where nothing else happens. */
export async function wake(
  { database, rounds }: { database: string | undefined; rounds: number },
  onProgress: (text: string) => void,
): Promise<Figure[]> {
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
  const figure = (what: string, values: number[][], most: number): Figure[] => [
    { what: `${what}, median, ms`, values: values.map(median) },
    {
      what: `${what}, slowest of ${times}, ms`,
      values: values.map((each) => quantile(each, 1)),
      goal: { most },
    },
  ];
  const told = database?.startsWith('postgres') ? 'told by the database' : 'found by looking';
  return [
    ...figure('request to first byte, worker in the same process', inProcess, 50),
    ...figure(`request to first byte, worker apart (${told})`, apart, told.startsWith('told') ? 50 : 250),
  ];
}

/** From before the request to the first byte of the call: the commit lies between, so this is more than what is asked. */
async function waits(database: string | undefined, own: boolean): Promise<number[]> {
  const around = createSurroundings(database);
  try {
    const receiver = await around.receiver();
    const { said } = await around.start(['server/main.ts'], {
      says: /http:\/\/\S+/,
      settings: { PARLEY_WORKER: own ? 'yes' : 'no' },
    });
    if (!own) await around.start(['server/worker.ts'], { says: /sends webhooks/ });
    const [customer] = await makeCustomers(around, /http:\/\/\S+/.exec(said)?.[0] ?? '', 1);
    if (!customer) throw new Error('There is no company.');
    await customer.post('/webhooks', aWebhook(`http://127.0.0.1:${receiver.ports.healthy}/`));
    const waited: number[] = [];
    for (let number = -5; number < times; number += 1) {
      await wait(100 + (number % 7) * 13);
      await receiver.seen();
      const begun = performance.timeOrigin + performance.now();
      await customer.post('/contacts', aContact(number));
      let call: [string, number] | undefined;
      for (let looks = 0; !call && looks < 500; looks += 1) {
        [call] = (await receiver.seen()).calls;
        if (!call) await wait(2);
      }
      if (!call) throw new Error('The event has not arrived.');
      // The first ones find code that is not compiled yet.
      if (number >= 0) waited.push(call[1] - begun);
    }
    return waited;
  } finally {
    await around.close();
  }
}
