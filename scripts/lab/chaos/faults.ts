import { setTimeout as wait } from 'node:timers/promises';
import { firstViolation } from '../../simulate/violation.ts';
import { type Fleet, type FleetOptions, killProcess, runStatements, startFleet } from './fleet.ts';

/** A fault that an experiment injects. */
export interface InjectedFault {
  /** Description in one sentence. */
  what: string;
  fleet?: FleetOptions;
  /** Injects the fault and ends it. A fleet with a standby uses it afterwards. */
  happen(fleet: Fleet): Promise<void>;
}

/** All faults, in the order of their experiments. */
export const injectedFaults: readonly InjectedFault[] = [
  {
    what: 'PostgreSQL is killed three times, and restarts from its files.',
    async happen({ cluster: postgres }) {
      for (let time = 0; time < 3; time += 1) {
        await postgres.stop('immediate');
        await postgres.start();
      }
    },
  },
  {
    what: 'Every connection to PostgreSQL is closed fifteen times within 3 s, by the proxy and by the server in turn.',
    async happen({ cluster: postgres, proxy }) {
      for (let time = 0; time < 15; time += 1) {
        if (time % 2 === 0) proxy.cut();
        else
          await runStatements(
            postgres.url,
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley'",
          );
        await wait(200);
      }
    },
  },
  {
    what: 'For five seconds everything on the way to PostgreSQL and back takes 200 ms longer.',
    async happen({ proxy }) {
      proxy.delay(200);
      await wait(5_000);
      proxy.delay(0);
    },
  },
  {
    what: 'PostgreSQL is frozen for 8 s, as when its disk hangs.',
    async happen({ cluster: postgres }) {
      const goOn = await postgres.freeze();
      await wait(8_000);
      goOn();
    },
  },
  {
    what: 'PostgreSQL is killed; the same address leads to its standby, which is promoted 1 s later.',
    fleet: { standby: true },
    async happen({ cluster: postgres, standby, proxy }) {
      if (!standby) throw new Error('There is no standby.');
      await postgres.stop('immediate');
      proxy.leadTo(standby.port);
      proxy.cut();
      await wait(1_000);
      await runStatements(standby.url, 'select pg_promote()');
    },
  },
  {
    what: 'The PostgreSQL server disappears without closing its connections; its standby is promoted at the same address.',
    fleet: { standby: true },
    async happen({ cluster: postgres, standby, proxy }) {
      if (!standby) throw new Error('There is no standby.');
      proxy.silence();
      proxy.leadTo(standby.port);
      await postgres.stop('immediate');
      await runStatements(standby.url, 'select pg_promote()');
    },
  },
  {
    what: 'One of two API processes is killed during requests and replaced, three times.',
    async happen({ running, startApi }) {
      for (let time = 0; time < 3; time += 1) {
        const [one] = running;
        if (one) await killProcess(one.child);
        await wait(300);
        running.splice(0, 1);
        running.push(await startApi());
      }
    },
  },
  {
    what: 'One of two workers is killed while its requests are in flight; every second time it is replaced only after 1 s.',
    fleet: { answerMs: 100 },
    async happen({ working, actors: { receiver }, startWorker }) {
      for (let time = 0; time < 4; time += 1) {
        while (receiver.underWay() === 0) await wait(1);
        const [one] = working.splice(0, 1);
        if (one) await killProcess(one);
        if (time % 2 === 0) await wait(1_000);
        working.push(await startWorker());
      }
    },
  },
];

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
