import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

export const databaseRestarted: Fault = {
  name: 'database-restarted',
  what: 'PostgreSQL is stopped, and started after three seconds.',
  async happen({ cluster }) {
    await cluster.stop('fast');
    await wait(3_000);
    await cluster.start();
    return undefined;
  },
};
