import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';
import { runStatements } from '../fleet.ts';

export const connectionsDropped: InjectedFault = {
  name: 'connections-dropped',
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
    return undefined;
  },
};
