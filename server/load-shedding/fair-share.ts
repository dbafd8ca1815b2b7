// Any further keys share one count, so that forged keys use no memory.
const maxKnown = 1_000;

/**
 * Counts requests per client in one window.
 * @param before the counts of the previous window
 * @param fairShare each client's fair share in the previous window
 */
export function createFairShares(before: ReadonlyMap<string, number> = new Map(), fairShare = 0) {
  const arrived = new Map<string, number>();
  let admitted = 0;
  let hasUnknown = false;
  return {
    /** Counts a request. @returns whether its client is under its fair share in this and the previous window */
    count(key: string | undefined): boolean {
      if (key === undefined || (arrived.size >= maxKnown && !arrived.has(key))) {
        hasUnknown = true;
        return false;
      }
      const count = (arrived.get(key) ?? 0) + 1;
      arrived.set(key, count);
      return Math.max(count, before.get(key) ?? 0) <= fairShare;
    },
    take() {
      admitted += 1;
    },
    // A client with few requests does not appear in every window, so a single flood gets at most half.
    next: () => createFairShares(arrived, admitted / Math.max(2, arrived.size + Number(hasUnknown))),
  };
}
