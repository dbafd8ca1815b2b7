// Whoever makes up names for himself gets no more than these can.
const maxKnown = 1_000;

/**
 * Who has sent how much in one window.
 * @param before the same of the window before
 * @param each what everyone could have of all that was taken then
 */
export function createFairShares(before: ReadonlyMap<string, number> = new Map(), each = 0) {
  const arrived = new Map<string, number>();
  let taken = 0;
  // All of them together are one more.
  let strangers = 0;
  /** Whether this one asks for less than his share, now and before, so that the crowd is others. */
  const isUnderFairShare = (who: string | undefined): boolean => {
    const now = arrived.get(who ?? '') ?? Number.POSITIVE_INFINITY;
    return Math.max(now, before.get(who ?? '') ?? 0) <= each;
  };
  return {
    /** @returns whether he is light */
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
      // Whoever asks for little is not there in each window: the half of one flood is his.
      return createFairShares(arrived, taken / Math.max(2, all));
    },
  };
}
