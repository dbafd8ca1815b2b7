import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';

export const databaseRestarted: InjectedFault = {
  name: 'database-restarted',
  what: 'PostgreSQL is stopped, and started after 3 s.',
  async happen({ cluster: postgres }) {
    await postgres.stop('fast');
    await wait(3_000);
    await postgres.start();
    return undefined;
  },
};
