import type { InjectedFault } from '../fault.ts';
import { runStatements } from '../fleet.ts';

export const failoverSilent: InjectedFault = {
  name: 'failover-silent',
  what: 'The PostgreSQL server disappears without closing its connections; its standby is promoted at the same address.',
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
