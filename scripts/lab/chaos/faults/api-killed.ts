import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';
import { killProcess } from '../fleet.ts';

export const apiKilled: InjectedFault = {
  name: 'api-killed',
  what: 'One of two API processes is killed during requests and replaced, three times.',
  async happen({ running, startApi }) {
    for (let time = 0; time < 3; time += 1) {
      const [one] = running;
      if (one) await killProcess(one.child);
      await wait(300);
      running.splice(0, 1);
      running.push(await startApi());
    }
    return undefined;
  },
};
