import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { kill } from '../fleet.ts';

export const apiKilled: Fault = {
  name: 'api-killed',
  what: 'Of two API processes one is killed in the middle of requests, and another takes its place, three times.',
  async happen({ running, startApi }) {
    for (let time = 0; time < 3; time += 1) {
      const [one] = running;
      if (one) await kill(one.child);
      await wait(300);
      running.splice(0, 1);
      running.push(await startApi());
    }
    return undefined;
  },
};
