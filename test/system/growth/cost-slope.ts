import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Above this, wall-clock time includes time of other processes, so CPU time is used. Its resolution is 4 ms. */
const longMs = 40;
/** Repetitions end after this time per size. */
const budgetMs = 8;
const maxRepetitions = 10;
/** On a busy machine, a few rounds are not enough to find the least costs. */
const maxRounds = 30;
/** Below this, caches and timers determine the cost, so smaller costs count as this one. */
const noiseMs = 0.5;
/** A slope that tolerance does not explain is not measured again if the cost is larger than this, so that tests end. */
const certainMs = 50;
const certainSlope = 1.6;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Returns the least time of several runs, in milliseconds. */
async function leastCost(run: () => unknown): Promise<number> {
  const begun = performance.now();
  let least = Number.POSITIVE_INFINITY;
  for (
    let count = 0;
    count < 3 || (count < maxRepetitions && performance.now() - begun < budgetMs);
    count += 1
  ) {
    const [cpu, wall] = [cpuMs(), performance.now()];
    await run();
    const took = performance.now() - wall;
    least = Math.min(least, took > longMs ? cpuMs() - cpu : took);
    if (took > 500) break;
  }
  return least;
}

/**
 * Measures how the cost of a function grows with the size of its input: 1 is linear, 2 is quadratic.
 * @param largest the largest size; the smallest one is a sixteenth of it
 * @param make makes an input of a size
 * @param enough measures again, up to `maxRounds` times, while the slope is larger. Other processes and garbage collection only add to
 * a cost, so the least one of all measurements counts
 * @returns the slope of the logarithm of the cost over the logarithm of the size
 */
export async function costSlope<Input>(
  largest: number,
  make: (size: number) => Input,
  run: (input: Input) => unknown,
  enough: number,
): Promise<number> {
  const [small, large] = [make(largest / 16), make(largest)];
  // The first run compiles code.
  await run(small);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let slope = Number.POSITIVE_INFINITY;
  for (let count = 0; count < maxRounds && slope > enough; count += 1) {
    // Garbage of earlier rounds is otherwise collected during a run of the large input, and counts as its cost.
    if (count > 2) collectGarbage();
    least = Math.min(least, await leastCost(() => run(small)));
    if (count > 2) collectGarbage();
    most = Math.min(most, await leastCost(() => run(large)));
    slope = Math.log(Math.max(most, noiseMs) / Math.max(least, noiseMs)) / Math.log(16);
    if (most > certainMs && slope > certainSlope) break;
  }
  return slope;
}
