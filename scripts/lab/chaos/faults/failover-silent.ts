import type { Fault } from '../fault.ts';
import { run } from '../fleet.ts';

export const failoverSilent: Fault = {
  name: 'failover-silent',
  what: 'The machine of PostgreSQL is gone, and no connection to it hears of that; its standby is promoted, and the same address leads there.',
  fleet: { standby: true },
  async happen({ cluster, standby, proxy }) {
    if (!standby) throw new Error('There is no standby.');
    proxy.silence();
    proxy.leadTo(standby.port);
    await cluster.stop('immediate');
    await run(standby.url, 'select pg_promote()');
    return standby.url;
  },
};
