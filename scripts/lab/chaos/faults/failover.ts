import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { run } from '../fleet.ts';

export const failover: Fault = {
  name: 'failover',
  what: 'PostgreSQL ends without a word; the same address leads to its standby, which is promoted a second later.',
  fleet: { standby: true },
  async happen({ cluster, standby, proxy }) {
    if (!standby) throw new Error('There is no standby.');
    await cluster.stop('immediate');
    proxy.leadTo(standby.port);
    proxy.cut();
    await wait(1_000);
    await run(standby.url, 'select pg_promote()');
    return standby.url;
  },
};
