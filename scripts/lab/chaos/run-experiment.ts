import { setTimeout as wait } from 'node:timers/promises';
import { firstViolation } from '../../simulate/violation.ts';
import type { InjectedFault } from './faults.ts';
import { startFleet } from './fleet.ts';

/** Duration of the load before and after a fault, in milliseconds. */
const aroundMs = 2_000;

/**
 * Runs an experiment under load.
 * @returns what clients and actors saw: no rule may be broken, and no response be 429 or a server error other than 503 (`wrong`)
 */
export async function runExperiment(fault: InjectedFault) {
  const fleet = await startFleet(fault.fleet);
  const { statuses, stop, check } = fleet.actors;
  try {
    await wait(aroundMs);
    await fault.happen(fleet);
    await wait(aroundMs);
    await untilWell(statuses);
    await stop();
    const wrong = statuses.filter((status) => status === 429 || (status >= 500 && status !== 503));
    return { ...(await check()), wrong };
  } finally {
    await fleet.close();
  }
}

/** Whether a request got 503, or no response. */
const hasFailed = (status: number): boolean => status === 503 || status === 0;

const enough = 50;
const maxMs = 60_000;

/** Waits until several consecutive requests have had a response, or a rule is broken. */
async function untilWell(statuses: readonly number[]): Promise<void> {
  const end = performance.now() + maxMs;
  while (!firstViolation() && statuses.slice(-enough).some(hasFailed)) {
    if (performance.now() > end) throw new Error('The service did not recover within 1 min.');
    await wait(100);
  }
}
