// Maximum number of known keys; invented keys share what is left.
const maxKnown = 1_000;

/**
 * Counts requests per key in one window.
 * @param before the counts of the previous window
 * @param each the fair share of each key in the previous window
 */
export function createFairShares(before: ReadonlyMap<string, number> = new Map(), each = 0) {
  const arrived = new Map<string, number>();
  let taken = 0;
  // Requests of unknown keys count as one key.
  let strangers = 0;
  /** Whether a key sends less than its fair share in this and the previous window. */
  const isUnderFairShare = (who: string | undefined): boolean => {
    const now = arrived.get(who ?? '') ?? Number.POSITIVE_INFINITY;
    return Math.max(now, before.get(who ?? '') ?? 0) <= each;
  };
  return {
    /** @returns whether the key is under its fair share */
    count(who: string | undefined): boolean {
      if (who === undefined || (arrived.size >= maxKnown && !arrived.has(who))) {
        strangers = 1;
        return false;
      }
      arrived.set(who, (arrived.get(who) ?? 0) + 1);
      return isUnderFairShare(who);
    },
    take() {
      taken += 1;
    },
    next() {
      const all = arrived.size + strangers;
      // A client with few requests is not present in every window, so a single flood gets half at most.
      return createFairShares(arrived, taken / Math.max(2, all));
    },
  };
}
