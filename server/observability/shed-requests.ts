import type { RequestMetrics } from './metrics.ts';

const oncePerMs = 1_000;

/**
 * Counts the requests that are turned away, and tells how many they were once a second: a line of the log for each would
 * cost as much as turning it away.
 */
export function createShedCounter(
  tell: (count: number) => void,
  metrics: Pick<RequestMetrics, 'countRequest'>,
): () => void {
  let untold = 0;
  return () => {
    metrics.countRequest({ operation: undefined, status: 503, durationMs: 0 });
    untold += 1;
    if (untold > 1) return;
    setTimeout(() => {
      tell(untold);
      untold = 0;
    }, oncePerMs).unref();
  };
}
