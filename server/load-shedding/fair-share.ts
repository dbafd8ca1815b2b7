// Further keys share what is left, so that forged ones use no memory.
const maxKnown = 1_000;

/**
 * Counts requests per client in one window.
 * @param before the counts of the previous window
 * @param fairShare the fair share of each client in the previous window
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
    // A client with few requests is not present in every window, so a single flood gets half at most.
    next: () => createFairShares(arrived, admitted / Math.max(2, arrived.size + Number(hasUnknown))),
  };
}
