import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';
import { runStatements } from '../fleet.ts';

export const failover: InjectedFault = {
  name: 'failover',
  what: 'PostgreSQL is killed; the same address leads to its standby, which is promoted 1 s later.',
  fleet: { standby: true },
  async happen({ cluster: postgres, standby, proxy }) {
    if (!standby) throw new Error('There is no standby.');
    await postgres.stop('immediate');
    proxy.leadTo(standby.port);
    proxy.cut();
    await wait(1_000);
    await runStatements(standby.url, 'select pg_promote()');
    return standby.url;
  },
};
