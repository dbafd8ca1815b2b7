import type { RequestMetrics } from './metrics.ts';

const oncePerMs = 1_000;

/**
 * Counts shed requests and reports their number at most once a second. A log line for each request would cost as much
 * as shedding it.
 */
export function createShedCounter(
  tell: (count: number) => void,
  metrics: Pick<RequestMetrics, 'countRequest'>,
): () => void {
  let unreported = 0;
  return () => {
    metrics.countRequest({ operation: undefined, status: 503, durationMs: 0 });
    unreported += 1;
    if (unreported > 1) return;
    setTimeout(() => {
      tell(unreported);
      unreported = 0;
    }, oncePerMs).unref();
  };
}
