/** Similar lines per second that are all logged. 1,000 requests per second would fill 19 GB a day. */
const linesPerSecond = 100;

const windowMs = 1_000;

/**
 * Creates a function that decides which of many similar log lines to write: all, while there are few, otherwise about
 * `linesPerSecond`. The rate of a second applies to the next one.
 * @param now returns milliseconds
 * @returns called for each line. It returns how many lines a written one stands for: itself, and those omitted since the
 * previous one; undefined for a line to omit
 */
export function createLineSampler(now: () => number = () => performance.now()): () => number | undefined {
  let startedAt = now();
  let inWindow = 0;
  /** Every how many lines one is written. */
  let interval = 1;
  let pending = 0;

  return () => {
    const elapsed = now() - startedAt;
    if (elapsed >= windowMs) {
      interval = Math.max(1, Math.ceil((inWindow * windowMs) / elapsed / linesPerSecond));
      startedAt += elapsed;
      inWindow = 0;
    }
    inWindow += 1;
    pending += 1;
    if (pending < interval) return undefined;
    const weight = pending;
    pending = 0;
    return weight;
  };
}

/** Adds the weight to a log record. A line without a weight stands for itself. */
export const withWeight = <Line extends object>(line: Line, weight: number): Line & { weight?: number } =>
  weight === 1 ? line : { ...line, weight };

const oncePerMs = 1_000;

/** Counts events, and reports their number at most once a second. A log line for each would take too much time. */
export function countPerSecond(tell: (count: number) => void): () => void {
  let unreported = 0;
  return () => {
    unreported += 1;
    if (unreported > 1) return;
    setTimeout(() => {
      tell(unreported);
      unreported = 0;
    }, oncePerMs).unref();
  };
}
