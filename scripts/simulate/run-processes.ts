import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { siblingModule } from '../lib/sibling-module.ts';
import type { SeedRange, SeedResult } from './run-seeds.ts';

export interface SimulationOptions extends Omit<SeedRange, 'step'> {
  /** Number of processes that run simulations at a time. */
  jobs: number;
  /** Called with each result. */
  onResult?: (result: SeedResult) => void;
}

/** What all simulations have done together. */
export interface SimulationReport {
  seeds: number;
  requests: number;
  deliveries: number;
  /** Milliseconds of real time, and the CPU time of the simulations. */
  realMs: number;
  cpuMs: number;
  /** The first result with a violation, and the time until its seed had run. */
  failure: (SeedResult & { afterMs: number }) | undefined;
  /** The last result. */
  last: SeedResult | undefined;
}

/**
 * Runs simulations in several processes, until one fails or the time is over.
 * @throws Error with the output of a process that ends with an error
 */
export async function runProcesses({
  jobs,
  onResult = () => {},
  from,
  ...range
}: SimulationOptions): Promise<SimulationReport> {
  const startedAt = performance.now();
  const report: SimulationReport = {
    ...{ seeds: 0, requests: 0, deliveries: 0, realMs: 0, cpuMs: 0 },
    ...{ failure: undefined, last: undefined },
  };
  const children: ChildProcess[] = [];
  const note = (result: SeedResult): void => {
    report.seeds += 1;
    report.requests += result.requests;
    report.deliveries += result.deliveries;
    report.cpuMs += result.cpuMs;
    report.last = result;
    if (result.violation) {
      report.failure ??= { ...result, afterMs: performance.now() - startedAt };
      for (const child of children) if (child.connected) child.disconnect();
    }
    onResult(result);
  };
  await Promise.all(
    Array.from({ length: jobs }, async (_none, index) => {
      const given: SeedRange = { ...range, from: from + index, step: jobs };
      if (given.from > given.to) return;
      const child = fork(siblingModule('simulation-process', import.meta.url), [JSON.stringify(given)], {
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        // Node warns at each connection while the API is experimental. With more memory for young objects, it collects
        // garbage less often.
        execArgv: ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'],
      });
      children.push(child);
      let output = '';
      child.stderr?.on('data', (chunk) => {
        output += String(chunk);
      });
      child.on('message', (result: SeedResult) => note(result));
      const [code] = await once(child, 'exit');
      if (code !== 0 && !report.failure) throw new Error(`A simulation could not run:\n${output}`);
    }),
  );
  return { ...report, realMs: performance.now() - startedAt };
}
