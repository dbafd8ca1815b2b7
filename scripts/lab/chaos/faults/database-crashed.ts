import type { Fault } from '../fault.ts';

export const databaseCrashed: Fault = {
  name: 'database-crashed',
  what: 'PostgreSQL ends without a word, three times, and begins with what it finds on the disk.',
  async happen({ cluster }) {
    for (let time = 0; time < 3; time += 1) {
      await cluster.stop('immediate');
      await cluster.start();
    }
    return undefined;
  },
};
