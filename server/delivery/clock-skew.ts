/** Smallest clock change that is detected. NTP corrections are smaller and delay deliveries only slightly. */
const minSkewMs = 5_000;

/** Interval of regular checks: another machine's clock may have been ahead, which is not detected here. */
const checkIntervalMs = 60_000;

/**
 * Creates a detector for a clock that was set back. Due times that were set before then lie too far in the future.
 * @param now returns milliseconds since 1970
 * @returns a function that returns whether due times must be checked: at its first call, after this clock was set back,
 * and once a minute
 */
export function createClockSkewDetector(now: () => number): () => boolean {
  let latest = Number.POSITIVE_INFINITY;
  let lookedAt = Number.POSITIVE_INFINITY;
  return () => {
    const at = now();
    const isToBeLookedAt = at < latest - minSkewMs || at - lookedAt >= checkIntervalMs;
    latest = isToBeLookedAt ? at : Math.max(latest, at);
    if (isToBeLookedAt) lookedAt = at;
    return isToBeLookedAt;
  };
}
