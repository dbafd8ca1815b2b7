import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';

export const baseline: InjectedFault = {
  name: 'baseline',
  what: 'No fault is injected. The other experiments are compared with this one.',
  async happen() {
    await wait(3_000);
    return undefined;
  },
};
