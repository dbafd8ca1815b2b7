import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';

export const databaseSlow: InjectedFault = {
  name: 'database-slow',
  what: 'For five seconds everything on the way to PostgreSQL and back takes 200 ms longer.',
  async happen({ proxy }) {
    proxy.delay(200);
    await wait(5_000);
    proxy.delay(0);
    return undefined;
  },
};
