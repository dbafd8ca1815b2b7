import { type Measurement, median } from '../../lib/statistics.ts';
import type { Workload } from '../workload.ts';
import { createHarness, type RunWorkload } from './enforcement/harness.ts';
import { type Implementation, implementations } from './enforcement/implementation-process.ts';

const names = Object.keys(implementations) as Implementation[];
const connections = 16;

/**
 * Duration of an implementation's warm-up, and of a turn, in seconds. A disturbance of the machine lasts longer than a
 * turn, so it affects all implementations.
 */
const long = { warmUpSeconds: 3, turns: 20, turnSeconds: 0.06 };

/** For quick runs: long enough to detect a large regression. Starting processes takes half the time. */
const short = { warmUpSeconds: 0.2, turns: 2, turnSeconds: 0.05 };

/** The goals: Parley's throughput relative to other implementations. */
const goals: Record<string, Partial<Record<Implementation, number>>> = {
  'get a contact': { Express: 1, Fastify: 1 },
  'list 20': { Express: 0.9, Fastify: 1 },
  'list 100': { Express: 0.9, Fastify: 1 },
  search: { Fastify: 1 },
  'create a contact': { Express: 0.95, Fastify: 1 },
  'create a message': { Express: 0.95, Fastify: 1 },
  'bad request': { Fastify: 1 },
  'bad token': { Fastify: 1 },
};

/** Measures the cost of contract enforcement, compared with implementations that do the same work. */
export async function benchEnforcement(
  { rounds, quick }: { rounds: number; quick: boolean },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const { warmUpSeconds, turns, turnSeconds } = quick ? short : long;
  const { workloads, start, close } = await createHarness();
  try {
    const harness: { name: Implementation; run: RunWorkload }[] = [];
    for (const name of names) harness.push({ name, run: await start(name) });
    const requestsPerTurn = new Map<Workload, number>();
    for (const workload of workloads) {
      onProgress(`enforcement: warm-up, ${workload.name}`);
      const warm: number[] = [];
      for (const { run } of harness)
        warm.push(await run(workload, { connections, until: { seconds: warmUpSeconds } }));
      requestsPerTurn.set(workload, connections * Math.ceil((median(warm) * turnSeconds) / connections));
    }
    const rates = new Map<string, number[]>();
    for (let round = 1; round <= rounds; round += 1)
      for (const workload of workloads) {
        onProgress(`enforcement: round ${round} of ${rounds}, ${workload.name}`);
        const until = { requests: requestsPerTurn.get(workload) ?? connections };
        for (let turn = 0; turn < turns; turn += 1)
          // The order rotates, because each run affects the next one.
          for (const { name, run } of beginningAt(harness, turn)) {
            const key = keyOf(workload, name);
            rates.set(key, [...(rates.get(key) ?? []), await run(workload, { connections, until })]);
          }
      }
    return workloads.flatMap((workload) =>
      figuresOf(workload, (name) => rates.get(keyOf(workload, name)) ?? []),
    );
  } finally {
    await close();
  }
}

function beginningAt<One>(all: readonly One[], index: number): One[] {
  const first = index % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}

const keyOf = (workload: Workload, name: Implementation): string => `${workload.name} ${name}`;

function figuresOf(workload: Workload, rates: (name: Implementation) => number[]): Measurement[] {
  const ofParley = rates('Parley');
  const beside = (name: Implementation) => ofParley.map((rate, at) => rate / (rates(name)[at] ?? Number.NaN));
  return [
    ...names.map((name) => ({ what: `${workload.name}: ${name}, per second`, values: rates(name) })),
    ...names
      .filter((name) => name !== 'Parley')
      .map((name) => {
        const least = goals[workload.name]?.[name];
        return {
          what: `${workload.name}: Parley / ${name}`,
          values: beside(name),
          ...(least === undefined ? {} : { goal: { least } }),
        };
      }),
    ...besideStock(workload, rates),
    savedShareOf(workload, rates),
  ];
}

/** Compares Express with our middleware to Express with the stock validator, and to Express without a validator. */
function besideStock(workload: Workload, rates: (name: Implementation) => number[]): Measurement[] {
  const ours = rates('Express, our middleware');
  const isGet = workload.name === 'get a contact';
  return (
    [
      ['Express, stock validator', 2],
      ['Express', 0.9],
    ] as const
  ).map(([name, least]) => ({
    what: `${workload.name}: our middleware / ${name}`,
    values: ours.map((rate, at) => rate / (rates(name)[at] ?? Number.NaN)),
    ...(isGet ? { goal: { least } } : {}),
  }));
}

/** Returns the share of the stock validator's overhead that Parley saves. */
function savedShareOf(workload: Workload, rates: (name: Implementation) => number[]): Measurement {
  const timeOf = (name: Implementation) => 1 / median(rates(name));
  const added = timeOf('Express, stock validator') - timeOf('Express');
  const left = timeOf('Parley') - timeOf('Express');
  return {
    what: `${workload.name}: share of the stock validator's overhead that is saved`,
    values: [1 - left / added],
    goal: { least: 0.9 },
  };
}
