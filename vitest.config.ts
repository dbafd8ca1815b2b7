import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/to-be-refused.ts'],
    // Processes are started and documents compiled; on a busy machine of two cores that takes a while.
    testTimeout: 30_000,
    // Vitest would leave a core free.
    maxWorkers: '100%',
  },
});
