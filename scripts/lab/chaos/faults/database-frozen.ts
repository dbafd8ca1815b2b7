import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.ts';

export const databaseFrozen: Fault = {
  name: 'database-frozen',
  what: 'PostgreSQL is there and says nothing for eight seconds, as when its disk hangs.',
  async happen({ cluster }) {
    const goOn = await cluster.freeze();
    await wait(8_000);
    goOn();
    return undefined;
  },
};
