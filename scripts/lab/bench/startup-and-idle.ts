import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Measurement } from '../../lib/statistics.ts';
import { asNpmStarts, createLabEnvironment, type LabEnvironment } from '../environment.ts';
import { createTenants } from './tenants.ts';

const starts = 5;
const restMs = 5_000;
const megabyte = 1_048_576;

/** Measures the startup time on an existing database, and the memory of an idle service. */
export async function benchStartup(
  { database, rounds }: { database: string | undefined; rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const environment = createLabEnvironment(database);
  try {
    // Warm-up: creates the database and Node's compile cache.
    const first = await startAndAsk(environment);
    await createTenants(environment, first.base, 1);
    await environment.end(first.child);
    const seconds: number[] = [];
    const megabytes: number[] = [];
    for (let round = 1; round <= rounds * starts; round += 1) {
      onProgress(`start: ${round} of ${rounds * starts}`);
      const { child, ms } = await startAndAsk(environment);
      seconds.push(ms / 1_000);
      if (round % starts === 0) {
        await wait(restMs);
        megabytes.push(residentBytes(child) / megabyte);
      }
      await environment.end(child);
    }
    return [
      {
        what: 'from the start of the process to its first response, s',
        values: seconds,
        goal: { most: 0.5 },
      },
      { what: 'memory when idle (resident), MB', values: megabytes, goal: { most: 120 } },
    ];
  } finally {
    await environment.close();
  }
}

async function startAndAsk(
  environment: LabEnvironment,
): Promise<{ child: ChildProcess; base: string; ms: number }> {
  const startedAt = performance.now();
  const { child, output } = await environment.start(asNpmStarts, { core: 'any', says: /http:\/\/\S+/ });
  const base = /http:\/\/\S+/.exec(output)?.[0] ?? '';
  const response = await fetch(`${base}/api/v1/contacts`);
  if (response.status !== 401) throw new Error(`It returned ${response.status}.`);
  return { child, base, ms: performance.now() - startedAt };
}

/** Linux reports kibibytes. */
function residentBytes({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return 1_024 * Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
}
