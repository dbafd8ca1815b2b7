import { setTimeout as wait } from 'node:timers/promises';
import { type ExperimentTimeline, type LostWrites, summarizeTimeline } from './acknowledged-writes.ts';
import type { InjectedFault } from './fault.ts';
import { startFleet } from './fleet.ts';

/** The result of an experiment. */
export interface ExperimentResult extends ExperimentTimeline {
  name: string;
  what: string;
  /** Duration of the fault in seconds. */
  lasted: number;
  balance: LostWrites & {
    /** Time from the clients' stop until all deliveries were sent, in seconds. */
    drained: number;
  };
  /** True if no write or event was lost, no create ran twice, no read was stale, and no response was `wrong`. */
  held: boolean;
}

/** Runs an experiment under load. @param aroundMs duration of the load before and after the fault */
export async function runExperiment(fault: InjectedFault, aroundMs: number): Promise<ExperimentResult> {
  const fleet = await startFleet(fault.fleet);
  try {
    await wait(aroundMs);
    const from = performance.now();
    await fault.happen(fleet);
    const { url } = fleet.standby ?? fleet.cluster;
    const to = performance.now();
    await wait(aroundMs);
    await untilWell(fleet.writes.outcomes);
    const balance = await fleet.stopAndCompare(url);
    const course = summarizeTimeline(
      fleet.writes.outcomes.filter((outcome) => outcome.to >= from),
      to,
    );
    const { lostWrites, lostEvents, gaps, surplus, stale } = balance;
    return {
      name: fault.name,
      what: fault.what,
      lasted: (to - from) / 1_000,
      ...course,
      balance,
      held: lostWrites + lostEvents + gaps + surplus + stale + course.wrong === 0,
    };
  } finally {
    await fleet.close();
  }
}

const enough = 50;
const maxMs = 60_000;

/** Waits until several consecutive requests have succeeded. */
async function untilWell(outcomes: readonly { status: number }[]): Promise<void> {
  const end = performance.now() + maxMs;
  while (outcomes.slice(-enough).some(({ status }) => status < 200 || status >= 300)) {
    if (performance.now() > end) throw new Error('The service did not recover within 1 min.');
    await wait(100);
  }
}
