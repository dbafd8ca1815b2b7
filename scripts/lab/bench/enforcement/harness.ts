import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClosedLoopOptions } from '../../closed-loop-load.ts';
import { createLabEnvironment } from '../../environment.ts';
import type { Workload } from '../../workload.ts';
import { createDataset } from './dataset.ts';
import type { Implementation } from './implementation-process.ts';
import { createWorkloads } from './workloads.ts';

/**
 * Runs a workload.
 * @returns requests per second
 * @throws Error for an unexpected status
 */
export type RunWorkload = (
  workload: Workload,
  how: Pick<ClosedLoopOptions, 'connections' | 'until'>,
) => Promise<number>;

export interface Harness {
  workloads: readonly Workload[];
  /** Starts an implementation on a copy of the data. @param settings its environment variables */
  start: (name: Implementation, settings?: Record<string, string>) => Promise<RunWorkload>;
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
      async start(name, settings = {}) {
        entered += 1;
        const file = join(folder, `${entered}.db`);
        await copyFile(original, file);
        const { output } = await environment.start(
          ['scripts/lab/bench/enforcement/implementation-process.ts'],
          {
            says: /http:\/\/\S+/,
            settings: { BENCH_CONTESTANT: name, BENCH_DATABASE: file, ...settings },
          },
        );
        const url = /http:\/\/\S+/.exec(output)?.[0] ?? '';
        return async (workload, how) => {
          const { perSecond, wrong } = await load({ url, workload, ...how });
          if (wrong) throw new Error(`${name}, ${workload.name}: ${wrong}.`);
          return perSecond;
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
