import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/to-be-refused.ts'],
    env: {
      // `npm run test:long`: see test/sample.ts.
      PARLEY_TEST_LONG: mode === 'long' ? 'yes' : '',
      // The many processes that tests start need not compile the same files each time.
      NODE_COMPILE_CACHE: resolve('node_modules/.cache/node'),
    },
    // Processes are started and documents compiled; on a busy machine of two cores that takes a while.
    testTimeout: mode === 'long' ? 600_000 : 30_000,
    // Half of the work is waiting for processes and time-outs, so there is more of it at once than there are cores.
    maxWorkers: '150%',
  },
}));
