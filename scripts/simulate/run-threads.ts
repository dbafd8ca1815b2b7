import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { siblingModule } from '../lib/sibling-module.ts';
import type { SeedRange, SeedResult } from './run-seeds.ts';

interface SimulationOptions extends Omit<SeedRange, 'step' | 'folder'> {
  /** Number of threads that run simulations at a time. */
  jobs: number;
  /** Called with each result. */
  onResult?: (result: SeedResult) => void;
}

/** The totals of all simulations. */
export interface SimulationReport {
  seeds: number;
  requests: number;
  deliveries: number;
  /** The first result with a violation. */
  failure: SeedResult | undefined;
  /** The last result. */
  last: SeedResult | undefined;
}

/** A folder in memory, if there is one: the simulation tests no disk. */
const folderIn = (): string => {
  try {
    return mkdtempSync('/dev/shm/parley-simulation-');
  } catch {
    return mkdtempSync(join(tmpdir(), 'parley-simulation-'));
  }
};

/**
 * Runs simulations in several threads, until one fails or the time is over.
 * @throws Error of a thread that cannot run them
 */
export async function runThreads({
  jobs,
  onResult = () => {},
  from,
  ...range
}: SimulationOptions): Promise<SimulationReport> {
  const folder = folderIn();
  const report: SimulationReport = {
    ...{ seeds: 0, requests: 0, deliveries: 0 },
    ...{ failure: undefined, last: undefined },
  };
  const threads: Worker[] = [];
  try {
    await Promise.all(
      Array.from({ length: jobs }, async (_none, index) => {
        const workerData: SeedRange = { ...range, folder, from: from + index, step: jobs };
        const thread = new Worker(siblingModule('simulation-thread', import.meta.url), {
          workerData,
          // With more memory for young objects, Node collects garbage less often.
          resourceLimits: { maxYoungGenerationSizeMb: 96 },
        });
        threads.push(thread);
        thread.on('message', (result: SeedResult) => {
          if (report.failure) return;
          report.seeds += 1;
          report.requests += result.requests;
          report.deliveries += result.deliveries;
          report.last = result;
          if (result.violation) {
            report.failure = result;
            for (const each of threads) void each.terminate();
          }
          onResult(result);
        });
        await once(thread, 'exit');
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  return report;
}
