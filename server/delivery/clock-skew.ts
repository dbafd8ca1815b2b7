/** NTP corrections are smaller than this and delay deliveries only slightly. */
const noticedMs = 5_000;

/** Another machine's clock may have been ahead, and no event reports that. */
const everyMs = 60_000;

/**
 * Detects that a clock was set back, after which due times lie too far in the future.
 * @param now returns milliseconds since 1970
 * @returns a function that returns true at its first call, after this clock was set back, and once a minute
 */
export function createClockSkewDetector(now: () => number): () => boolean {
  let latest = Number.POSITIVE_INFINITY;
  let lookedAt = Number.POSITIVE_INFINITY;
  return () => {
    const at = now();
    const isToBeLookedAt = at < latest - noticedMs || at - lookedAt >= everyMs;
    latest = isToBeLookedAt ? at : Math.max(latest, at);
    if (isToBeLookedAt) lookedAt = at;
    return isToBeLookedAt;
  };
}
