import type { RequestMetrics } from './metrics.ts';

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

/** Counts shed requests, and reports their number at most once a second. */
export function createShedCounter(
  tell: (count: number) => void,
  metrics: Pick<RequestMetrics, 'countRequest'>,
): () => void {
  const count = countPerSecond(tell);
  return () => {
    metrics.countRequest({ operation: undefined, status: 503, durationMs: 0 });
    count();
  };
}
