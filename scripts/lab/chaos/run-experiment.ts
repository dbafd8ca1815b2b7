import { setTimeout as wait } from 'node:timers/promises';
import { firstViolation } from '../../simulate/violation.ts';
import type { RequestOutcome } from '../real-world/api-caller.ts';
import type { Actors } from '../real-world/start-actors.ts';
import type { InjectedFault } from './fault.ts';
import { startFleet } from './fleet.ts';

/** Summary of the responses that clients got during and after the fault. */
export interface ExperimentTimeline {
  answered: number;
  /** Number of 503 responses. */
  unavailable: number;
  /** Requests without a response. */
  unanswered: number;
  /** Other server errors, and rejections for too many requests; must be 0. */
  wrong: number;
  /** Longest response time in seconds. */
  slowest: number;
  /** Time from the end of the fault to the last 503 or missing response, in seconds. */
  recovery: number;
}

/** The result of an experiment. */
export interface ExperimentResult extends ExperimentTimeline {
  name: string;
  what: string;
  /** Duration of the fault in seconds. */
  lasted: number;
  /** Counts of what the actors have done, and the first violation. */
  found: Awaited<ReturnType<Actors['check']>>;
  /** Whether no rule was broken, and no response was `wrong`. */
  held: boolean;
}

/** Runs an experiment under load. @param aroundMs duration of the load before and after the fault */
export async function runExperiment(fault: InjectedFault, aroundMs: number): Promise<ExperimentResult> {
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
    const timeline = summarizeTimeline(
      outcomes.filter((outcome) => outcome.to >= from),
      to,
    );
    const held = found.violation === undefined && timeline.wrong === 0;
    return { name: fault.name, what: fault.what, lasted: (to - from) / 1_000, ...timeline, found, held };
  } finally {
    await fleet.close();
  }
}

/** Summarizes the outcomes of requests. @param over the end of the fault, as a value of `performance.now()` */
function summarizeTimeline(outcomes: readonly RequestOutcome[], over: number): ExperimentTimeline {
  const count = (fits: (status: number) => boolean) => outcomes.filter(({ status }) => fits(status)).length;
  const failed = outcomes.filter(hasFailed);
  return {
    answered: count((status) => status >= 200 && status < 300),
    unavailable: count((status) => status === 503),
    unanswered: count((status) => status === 0),
    wrong: count((status) => status === 429 || (status >= 500 && status !== 503)),
    slowest: outcomes.reduce((most, { from, to }) => Math.max(most, to - from), 0) / 1_000,
    recovery: failed.reduce((last, { to }) => Math.max(last, to - over), 0) / 1_000,
  };
}

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
