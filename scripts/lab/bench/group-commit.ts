import { type Measurement, median } from '../../lib/statistics.ts';
import type { Workload } from '../workload.ts';
import { createHarness, type RunWorkload } from './enforcement/harness.ts';

const connections = 32;
const warmUpSeconds = 3;
const turns = 5;
const turnSeconds = 0.4;

const disks = [
  { disk: 'this disk', commitMs: '0' },
  { disk: 'a commit of 2 ms', commitMs: '2' },
] as const;

/** Measures durable creates over HTTP with 32 connections: with group commit, and with one commit per create. */
export async function benchGroupCommit(
  { rounds }: { rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const { workloads, start, close } = await createHarness();
  try {
    const measurements: Measurement[] = [];
    for (const { disk, commitMs } of disks) {
      const alone = await start('Parley', { BENCH_LARGEST_BATCH: '1', BENCH_COMMIT_MS: commitMs });
      const shared = await start('Parley', { BENCH_COMMIT_MS: commitMs });
      for (const workload of workloads.filter(({ status }) => status === 201)) {
        onProgress(`writes: ${workload.name}, ${disk}`);
        measurements.push(
          ...figuresOf(`${workload.name}, ${disk}`, await inTurns(workload, { alone, shared, rounds })),
        );
      }
    }
    return measurements;
  } finally {
    await close();
  }
}

interface Rates {
  alone: number[];
  shared: number[];
}

async function inTurns(
  workload: Workload,
  { alone, shared, rounds }: { alone: RunWorkload; shared: RunWorkload; rounds: number },
): Promise<Rates> {
  const enough = async (ask: RunWorkload) => ({
    requests: Math.ceil(
      turnSeconds * (await ask(workload, { connections, until: { seconds: warmUpSeconds } })),
    ),
  });
  const until = { alone: await enough(alone), shared: await enough(shared) };
  const rates: Rates = { alone: [], shared: [] };
  for (let round = 1; round <= rounds; round += 1) {
    const these: Rates = { alone: [], shared: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      these.alone.push(await alone(workload, { connections, until: until.alone }));
      these.shared.push(await shared(workload, { connections, until: until.shared }));
    }
    rates.alone.push(median(these.alone));
    rates.shared.push(median(these.shared));
  }
  return rates;
}

const figuresOf = (what: string, { alone, shared }: Rates): Measurement[] => [
  { what: `${what}: one commit each, per second`, values: alone },
  { what: `${what}: shared commits, per second`, values: shared },
  {
    what: `${what}: shared / one each`,
    values: shared.map((rate, round) => rate / (alone[round] ?? Number.NaN)),
    goal: { least: 5 },
  },
];
