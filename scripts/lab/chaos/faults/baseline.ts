import { setTimeout as wait } from 'node:timers/promises';
import type { InjectedFault } from '../fault.ts';

export const baseline: InjectedFault = {
  name: 'calm',
  what: 'Nothing happens: what the others are compared with.',
  async happen() {
    await wait(3_000);
    return undefined;
  },
};
