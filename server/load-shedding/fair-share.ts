// Maximum number of keys that are counted. All others are treated as one client, so that forged keys use no memory.
const maxKnown = 1_000;

/**
 * Counts requests per client in one time window.
 * @param before the counts of the previous window
 * @param fairShare the number of requests that was each client's fair share in the previous window
 */
export function createFairShares(before: ReadonlyMap<string, number> = new Map(), fairShare = 0) {
  const arrived = new Map<string, number>();
  let admitted = 0;
  let hasUnknown = false;
  return {
    /** Counts a request. @returns whether its client is within the fair share in this window and in the previous one */
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
    // The fair share is at most half of the admitted requests, because clients with few requests do not appear in every
    // window.
    next: () => createFairShares(arrived, admitted / Math.max(2, arrived.size + Number(hasUnknown))),
  };
}
