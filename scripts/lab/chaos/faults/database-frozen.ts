import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';

export const databaseFrozen: InjectedFault = {
  name: 'database-frozen',
  what: 'PostgreSQL is frozen for 8 s, as when its disk hangs.',
  async happen({ cluster: postgres }) {
    const goOn = await postgres.freeze();
    await wait(8_000);
    goOn();
    return undefined;
  },
};
