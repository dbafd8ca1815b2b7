import type { InjectedFault } from '../fault.ts';

export const databaseCrashed: InjectedFault = {
  name: 'database-crashed',
  what: 'PostgreSQL ends without a word, three times, and begins with what it finds on the disk.',
  async happen({ cluster: postgres }) {
    for (let time = 0; time < 3; time += 1) {
      await postgres.stop('immediate');
      await postgres.start();
    }
    return undefined;
  },
};
