import { setTimeout as wait } from 'node:timers/promises';
import { firstViolation } from '../../simulate/violation.ts';
import type { RequestOutcome } from '../real-world/api-caller.ts';
import type { InjectedFault } from './faults.ts';
import { startFleet } from './fleet.ts';

export type ExperimentResult = Awaited<ReturnType<typeof runExperiment>>;

/**
 * Runs an experiment under load.
 * @param aroundMs duration of the load before and after the fault
 * @returns what clients and actors saw. It held if no rule was broken, and no response was 429 or a server error other than 503
 */
export async function runExperiment({ name, what, ...fault }: InjectedFault, aroundMs: number) {
  const fleet = await startFleet(fault.fleet);
  const { outcomes, stop, check } = fleet.actors;
  try {
    await wait(aroundMs);
    const from = performance.now();
    await fault.happen(fleet);
    const to = performance.now();
    await wait(aroundMs);
    await untilWell(outcomes);
    await stop();
    const found = await check();
    const timeline = summarize(
      outcomes.filter((outcome) => outcome.to >= from),
      to,
    );
    const held = found.violation === undefined && timeline.wrong === 0;
    return { name, what, seconds: (to - from) / 1_000, ...timeline, found, held };
  } finally {
    await fleet.close();
  }
}

/** Summarizes the outcomes of requests. @param over the end of the fault, as a value of `performance.now()` */
function summarize(outcomes: readonly RequestOutcome[], over: number) {
  const failed = outcomes.filter(hasFailed);
  return {
    answered: outcomes.filter(({ status }) => status >= 200 && status < 300).length,
    failed: failed.length,
    wrong: outcomes.filter(({ status }) => status === 429 || (status >= 500 && status !== 503)).length,
    /** Seconds from the end of the fault to the last failed request. */
    recovery: failed.reduce((last, { to }) => Math.max(last, to - over), 0) / 1_000,
  };
}

/** Whether a request got 503, or no response. */
const hasFailed = ({ status }: RequestOutcome): boolean => status === 503 || status === 0;

const enough = 50;
const maxMs = 60_000;

/** Waits until several consecutive requests have had a response, or a rule is broken. */
async function untilWell(outcomes: readonly RequestOutcome[]): Promise<void> {
  const end = performance.now() + maxMs;
  while (!firstViolation() && outcomes.slice(-enough).some(hasFailed)) {
    if (performance.now() > end) throw new Error('The service did not recover within 1 min.');
    await wait(100);
  }
}
