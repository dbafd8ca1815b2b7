import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { run } from '../fleet.ts';

export const connectionsCut: Fault = {
  name: 'connections-cut',
  what: 'Every connection to PostgreSQL is ended, fifteen times in three seconds: by the server, then on the way.',
  async happen({ cluster, proxy }) {
    for (let time = 0; time < 15; time += 1) {
      if (time % 2 === 0) proxy.cut();
      else
        await run(
          cluster.url,
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'parley'",
        );
      await wait(200);
    }
    return undefined;
  },
};
