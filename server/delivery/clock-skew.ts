/** A clock is corrected by less every day; what came in between is only a little late. */
const noticedMs = 5_000;

/** The clock that was ahead may have been another machine's, of which nobody tells us. */
const everyMs = 60_000;

/**
 * Watches for a clock that was set back: what was to be done at a moment then lies further ahead than anybody meant.
 * @param now milliseconds since 1970
 * @returns tells whether it is time to look for that: at the beginning, when this clock was set back, and each minute
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
