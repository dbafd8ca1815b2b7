import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClosedLoopOptions } from '../../closed-loop-load.ts';
import { createLabEnvironment } from '../../environment.ts';
import { reportsUsage, usageOf } from '../../usage.ts';
import type { Workload } from '../../workload.ts';
import { createDataset } from './dataset.ts';
import type { Implementation } from './implementation-process.ts';
import { createWorkloads } from './workloads.ts';

/**
 * Runs a workload.
 * @returns CPU time per request in microseconds, and requests per second
 * @throws Error for an unexpected status
 */
export type RunWorkload = (
  workload: Workload,
  how: Pick<ClosedLoopOptions, 'connections' | 'until'>,
) => Promise<{ cpu: number; perSecond: number }>;

export interface Harness {
  workloads: readonly Workload[];
  /** Starts an implementation on a copy of the data. */
  start: (name: Implementation) => Promise<RunWorkload>;
  close: () => Promise<void>;
}

/** Creates the harness, which runs the same workloads on the same data for each implementation. */
export async function createHarness(): Promise<Harness> {
  const environment = createLabEnvironment(undefined);
  const folder = await mkdtemp(join(tmpdir(), 'parley bench '));
  const close = async () => {
    await environment.close();
    await rm(folder, { recursive: true });
  };
  try {
    const original = join(folder, 'original.db');
    const workloads = createWorkloads(await createDataset(original));
    const load = await environment.load();
    let entered = 0;
    return {
      workloads,
      async start(name) {
        entered += 1;
        const file = join(folder, `${entered}.db`);
        await copyFile(original, file);
        const { args, settings } = reportsUsage('cpu');
        const { child, output } = await environment.start(
          [...args, 'scripts/lab/bench/enforcement/implementation-process.ts'],
          {
            says: /http:\/\/\S+/,
            settings: { ...settings, BENCH_CONTESTANT: name, BENCH_DATABASE: file },
          },
        );
        const url = /http:\/\/\S+/.exec(output)?.[0] ?? '';
        return async (workload, how) => {
          const before = await usageOf(child);
          const { requests, perSecond, wrong } = await load({ url, workload, ...how });
          if (wrong) throw new Error(`${name}, ${workload.name}: ${wrong}.`);
          return { cpu: ((await usageOf(child)) - before) / requests, perSecond };
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
