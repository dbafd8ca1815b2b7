import { setTimeout as wait } from 'node:timers/promises';
import { type Measurement, quantile } from '../../lib/statistics.ts';
import { createLabEnvironment } from '../environment.ts';
import { createTenants, sampleContact, sampleWebhook, type Tenant } from './tenants.ts';

const companies = 10;
const webhooksEach = 100;
const beats = 10;
const beatMs = 1_000;

/** Three of ten webhooks hang. */
const mayHang = (number: number): boolean => number % 10 < 3;

/** Each webhook has its own origin on loopback. */
const hostOf = (company: number, number: number): string =>
  `127.${10 + company}.${number >> 8}.${(number & 255) + 1}`;

/** Measures how long deliveries to healthy receivers wait, with and without hanging receivers. */
export async function benchSlowReceivers(
  { database, rounds }: { database: string | undefined; rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const calm: number[] = [];
  const disturbed: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [hang, into] of [
      [false, calm],
      [true, disturbed],
    ] as const) {
      onProgress(`hanging receivers: round ${round + 1} of ${rounds}, ${hang ? 'with' : 'without'} them`);
      into.push(await healthyWait(database, hang));
    }
  return [
    { what: '99th percentile of healthy first attempts, none hang, ms', values: calm },
    { what: 'the same while 300 of 1,000 receivers hang, ms', values: disturbed },
    {
      what: 'with / without',
      values: disturbed.map((late, round) => late / (calm[round] ?? Number.NaN)),
      goal: { most: 2 },
    },
  ];
}

async function healthyWait(database: string | undefined, hang: boolean): Promise<number> {
  const environment = createLabEnvironment(database);
  try {
    const receiver = await environment.receiver();
    const { output } = await environment.start(['server/main.ts'], { says: /http:\/\/\S+/ });
    const tenants = await createTenants(environment, /http:\/\/\S+/.exec(output)?.[0] ?? '', companies);
    const healthy = new Set<number>();
    for (const [company, tenant] of tenants.entries())
      for (let number = 0; number < webhooksEach; number += 1) {
        const port = hang && mayHang(number) ? receiver.ports.hanging : receiver.ports.healthy;
        const id = Number(
          await tenant.post('/webhooks', sampleWebhook(`http://${hostOf(company, number)}:${port}/`)),
        );
        if (!mayHang(number)) healthy.add(id);
      }
    await receiver.seen();
    const asked = await beat(tenants);
    await wait(3_000);
    const waits = (await receiver.seen()).calls.flatMap(([id, at]) => {
      const [, webhook = '', sequence = ''] = id.split('_');
      const begun = asked.get(Number(sequence));
      return healthy.has(Number(webhook)) && begun !== undefined ? [at - begun] : [];
    });
    if (waits.length < companies * webhooksEach * 0.7 * beats)
      throw new Error(`Only ${waits.length} deliveries arrived.`);
    return quantile(waits, 0.99);
  } finally {
    await environment.close();
  }
}

/** All companies repeatedly create a contact at the same time. @returns when, by event */
async function beat(tenants: readonly Tenant[]): Promise<Map<number, number>> {
  const asked = new Map<number, number>();
  for (let number = 1; number <= beats; number += 1) {
    asked.set(number, performance.timeOrigin + performance.now());
    await Promise.all(tenants.map((tenant) => tenant.post('/contacts', sampleContact(number))));
    await wait(beatMs);
  }
  return asked;
}
