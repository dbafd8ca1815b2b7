/**
 * Converts a valid date-time to milliseconds since 1970. Fractions of a millisecond are dropped, and a leap second is the
 * first second of the next day, as in POSIX (D53).
 */
export function parseTimestamp(dateTime: string): number {
  const isLeapSecond = dateTime[17] === '6';
  const existing = isLeapSecond ? `${dateTime.slice(0, 17)}59${dateTime.slice(19)}` : dateTime;
  return Date.parse(existing.toUpperCase()) + (isLeapSecond ? 1_000 : 0);
}
