import type { Fault } from '../fault.ts';
import { run } from '../fleet.ts';

export const failover: Fault = {
  name: 'failover',
  what: 'PostgreSQL ends without a word; its standby is promoted, and the same address leads there.',
  fleet: { standby: true },
  async happen({ cluster, standby, proxy }) {
    if (!standby) throw new Error('There is no standby.');
    await cluster.stop('immediate');
    await run(standby.url, 'select pg_promote()');
    proxy.leadTo(standby.port);
    proxy.cut();
    return standby.url;
  },
};
