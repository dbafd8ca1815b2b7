import { defineConfig } from 'vitest/config';

export default defineConfig(({ mode }) => ({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/to-be-refused.ts'],
    // `npm run test:long`: see test/sample.ts.
    env: { PARLEY_TEST_LONG: mode === 'long' ? 'yes' : '' },
    // Processes are started and documents compiled; on a busy machine of two cores that takes a while.
    testTimeout: mode === 'long' ? 600_000 : 30_000,
    // Vitest would leave a core free.
    maxWorkers: '100%',
  },
}));
