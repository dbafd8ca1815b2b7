/** A moment as the interface writes it: UTC, milliseconds, `Z` (D02). */
export const timestamp = (moment: number): string => new Date(moment).toISOString();

/** The same for a moment that may not have come. */
export const timestampOrNull = (moment: number | null): string | null =>
  moment === null ? null : timestamp(moment);

/** The moment that a checked date-time means; what is finer than a millisecond is cut off (D53). */
export const momentOf = (dateTime: string): number => Date.parse(dateTime.toUpperCase());

/**
 * When something happens to what has a history: clocks of several machines differ, and whoever waits for another
 * has looked at the clock before, but nothing is changed before it was changed the last time.
 * @param now milliseconds since 1970
 */
export const notBefore = ({ updated_at }: { updated_at: number }, now: number): number =>
  Math.max(now, updated_at);
