import type { Workload } from '../closed-loop-load.ts';
import { createHarness, type RunWorkload } from './enforcement/harness.ts';
import { type Implementation, implementations } from './enforcement/implementations.ts';
import { type Measurement, median } from './measurement.ts';

const connections = 16;
const baseline = 'Express';

/**
 * Durations in seconds: of the warm-up of an implementation by each workload, before the first one is measured and before
 * each one, and of a turn. V8 optimizes the functions of a large contract late: after 20,000 requests, the overhead of our
 * middleware is a third larger than after 150,000.
 */
const long = { firstWarmUpSeconds: 3, warmUpSeconds: 3, turnSeconds: 0.1 };

/** For `bash .ci/run`: about 15 s, long enough to detect a large regression. */
const short = {
  firstWarmUpSeconds: 0,
  warmUpSeconds: 0.7,
  turnSeconds: 0.04,
  names: [baseline, 'Express, our middleware', 'Parley'],
  workloads: ['get a contact', 'list 100', 'create a contact'],
};

/** The largest CPU time per request, as a multiple of the baseline's. */
const goals: Record<string, Partial<Record<Implementation, number>>> = {
  'get a contact': { Parley: 1.1 },
  'list 20': { Parley: 1.1 },
  'create a contact': { Parley: 1.05 },
  'create a message': { Parley: 1.05 },
};

interface Contestant {
  label: string;
  name: Implementation;
  run: RunWorkload;
}

/**
 * Measures the CPU time per request of implementations that do the same work. Their turns alternate, and each turn is
 * compared with the baseline's turn beside it, because a shared machine is twice as fast in one minute as in the next.
 */
export async function benchEnforcement(
  { turns, quick }: { turns: number; quick: boolean },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const harness = await createHarness();
  try {
    const names = (Object.keys(implementations) as Implementation[]).filter(
      (name) => !quick || short.names.includes(name),
    );
    const workloads = harness.workloads.filter(({ name }) => !quick || short.workloads.includes(name));
    // The baseline takes part twice: the ratio of the two shows what the measurement can distinguish.
    const contestants: Contestant[] = [
      { label: `${baseline} again`, name: baseline, run: await harness.start(baseline) },
    ];
    for (const name of names) contestants.push({ label: name, name, run: await harness.start(name) });
    const durations = quick ? short : long;
    if (durations.firstWarmUpSeconds > 0)
      for (const { label, run } of contestants) {
        onProgress(`enforcement: warm-up, ${label}`);
        for (const workload of workloads)
          await run(workload, { connections, until: { seconds: durations.firstWarmUpSeconds } });
      }
    const measurements: Measurement[] = [];
    for (const workload of workloads)
      measurements.push(
        ...figuresOf(workload, await takeTurns(workload, contestants, { turns, ...durations }, onProgress)),
      );
    return measurements;
  } finally {
    await harness.close();
  }
}

/** @returns CPU time per request in microseconds, for each contestant and turn */
async function takeTurns(
  workload: Workload,
  contestants: readonly Contestant[],
  { turns, warmUpSeconds, turnSeconds }: { turns: number; warmUpSeconds: number; turnSeconds: number },
  onProgress: (text: string) => void,
): Promise<Map<Contestant, number[]>> {
  onProgress(`enforcement: warm-up, ${workload.name}`);
  const rates: number[] = [];
  for (const { run } of contestants)
    rates.push((await run(workload, { connections, until: { seconds: warmUpSeconds } })).perSecond);
  const until = { requests: connections * Math.ceil((median(rates) * turnSeconds) / connections) };
  const taken = new Map<Contestant, number[]>(contestants.map((each) => [each, []]));
  for (let turn = 0; turn < turns; turn += 1) {
    onProgress(`enforcement: ${workload.name}, turn ${turn + 1} of ${turns}`);
    // The order rotates, because each turn affects the next one.
    const first = turn % contestants.length;
    for (const each of [...contestants.slice(first), ...contestants.slice(0, first)])
      taken.get(each)?.push((await each.run(workload, { connections, until })).cpu);
  }
  return taken;
}

function figuresOf(workload: Workload, taken: ReadonlyMap<Contestant, number[]>): Measurement[] {
  const [, bare = []] = [...taken].find(([{ label }]) => label === baseline) ?? [];
  return [
    { what: `${workload.name}: ${baseline}, µs of CPU time per request`, values: bare },
    ...[...taken]
      .filter(([{ label }]) => label !== baseline)
      .map(([{ label, name }, values]) => {
        const most = label === name ? goals[workload.name]?.[name] : undefined;
        return {
          what: `${workload.name}: ${label} / ${baseline}`,
          values: values.map((cpu, turn) => cpu / (bare[turn] ?? Number.NaN)),
          ...(most === undefined ? {} : { most }),
        };
      }),
  ];
}
