/** A moment as the interface writes it: UTC, milliseconds, `Z` (D02). */
export const timestamp = (moment: number): string => new Date(moment).toISOString();

/** The same for a moment that may not have come. */
export const timestampOrNull = (moment: number | null): string | null =>
  moment === null ? null : timestamp(moment);

/** The moment that a checked date-time means; what is finer than a millisecond is cut off (D53). */
export const momentOf = (dateTime: string): number => Date.parse(dateTime.toUpperCase());
