import type { InjectedFault } from '../fault.ts';
import { runStatements } from '../fleet.ts';

export const failoverSilent: InjectedFault = {
  name: 'failover-silent',
  what: 'The machine of PostgreSQL is gone, and no connection to it hears of that; its standby is promoted, and the same address leads there.',
  fleet: { standby: true },
  async happen({ cluster: postgres, standby, proxy }) {
    if (!standby) throw new Error('There is no standby.');
    proxy.silence();
    proxy.leadTo(standby.port);
    await postgres.stop('immediate');
    await runStatements(standby.url, 'select pg_promote()');
    return standby.url;
  },
};
