/**
 * Whether tests of large input spaces use large samples. `npm test` uses a fixed sample, so that it is fast and fails
 * only after a change. `npm run test:long` uses a different sample in each run, which is twenty times as large.
 */
export const isLong = process.env.TEST_LONG === 'yes';

/** Returns the number of runs of a test: `usual`, or twenty times as many in `npm run test:long`. */
export const sampleCount = (usual: number): number => (isLong ? 20 * usual : usual);

/** The seed of the run. fast-check and the tests print it after a failure. */
export const seed: number = isLong ? Date.now() % 2 ** 31 : 20_261_121;
