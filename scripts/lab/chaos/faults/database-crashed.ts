import type { InjectedFault } from '../fault.ts';

export const databaseCrashed: InjectedFault = {
  name: 'database-crashed',
  what: 'PostgreSQL is killed three times, and restarts from its files.',
  async happen({ cluster: postgres }) {
    for (let time = 0; time < 3; time += 1) {
      await postgres.stop('immediate');
      await postgres.start();
    }
    return undefined;
  },
};
