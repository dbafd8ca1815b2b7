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
