const dayMs = 86_400_000;

// The day that was written last, in days since 1970 and as text: what stands in one list was mostly made together.
let writtenDay = 0;
let writtenDate = '1970-01-01T';

// Each contact of a list tells again when the fields of its company were made.
const kept = 64;
const keptMoments = new Array<number>(kept).fill(Number.NaN);
const keptTexts = new Array<string>(kept).fill('');

/** A moment as the interface writes it: UTC, milliseconds, `Z` (D02). */
export function formatTimestamp(moment: number): string {
  if (!Number.isSafeInteger(moment)) return new Date(moment).toISOString();
  const index = Math.abs(moment) % kept;
  if (keptMoments[index] === moment) return keptTexts[index] as string;
  const text = written(moment);
  keptMoments[index] = moment;
  keptTexts[index] = text;
  return text;
}

/** A list has hundreds of them, and `Date` takes ten times as long. */
function written(timestamp: number): string {
  const day = Math.floor(timestamp / dayMs);
  if (day !== writtenDay) {
    writtenDate = new Date(day * dayMs).toISOString().slice(0, -'00:00:00.000Z'.length);
    writtenDay = day;
  }
  const ms = timestamp - day * dayMs;
  const seconds = Math.floor(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  return `${writtenDate}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(seconds % 60)}.${threeDigits(ms % 1_000)}Z`;
}

const twoDigits = (count: number): string => (count < 10 ? `0${count}` : `${count}`);
const threeDigits = (count: number): string => (count < 100 ? `0${twoDigits(count)}` : `${count}`);

/** The same for a moment that may not have come. */
export const formatTimestampOrNull = (moment: number | null): string | null =>
  moment === null ? null : formatTimestamp(moment);

/** The moment that a checked date-time means; what is finer than a millisecond is cut off (D53). */
export const parseTimestamp = (dateTime: string): number => Date.parse(dateTime.toUpperCase());

/**
 * When something happens to what has a history: clocks of several machines differ, and whoever waits for another
 * has looked at the clock before, but nothing is changed before it was changed the last time.
 * @param now milliseconds since 1970
 */
export const notBefore = ({ updated_at }: { updated_at: number }, now: number): number =>
  Math.max(now, updated_at);
