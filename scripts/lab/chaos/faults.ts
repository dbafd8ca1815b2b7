import { setTimeout as wait } from 'node:timers/promises';
import { type Fleet, type FleetOptions, killProcess, runStatements } from './fleet.ts';

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
