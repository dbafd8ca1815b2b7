import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';
import { killProcess } from '../fleet.ts';

export const workerKilled: InjectedFault = {
  name: 'worker-killed',
  what: 'One of two workers is killed while its requests are in flight; every second time it is replaced only after 1 s.',
  fleet: { answerMs: 100 },
  async happen({ working, receiver, startWorker }) {
    for (let time = 0; time < 4; time += 1) {
      while (receiver.underWay() === 0) await wait(1);
      const [one] = working.splice(0, 1);
      if (one) await killProcess(one);
      if (time % 2 === 0) await wait(1_000);
      working.push(await startWorker());
    }
    return undefined;
  },
};
