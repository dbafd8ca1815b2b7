/**
 * How much of a large space of inputs is tried. `npm test` takes a sample that is always the same, so that it
 * ends soon and fails for a change only; `npm run test:long` takes twenty times as much, another one each time.
 */
export const isLong = process.env.PARLEY_TEST_LONG === 'yes';

/** The usual number of runs, or many more. */
export const sampleCount = (usual: number): number => (isLong ? 20 * usual : usual);

/** What a failure was found with; fast-check and the tests print it. */
export const seed: number = isLong ? Date.now() % 2 ** 31 : 20_261_121;
