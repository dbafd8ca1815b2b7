import fc from 'fast-check';
import type { Alternative, Range } from './alternatives.ts';

/** Returns the allowed range of integers, limited to integers that JSON parsers represent exactly. */
function integerRange(alternative: Alternative): Range {
  const { min, max, openMin, openMax } = bounds(alternative);
  const names = alternative.map((schema) => schema.format);
  const narrow = names.includes('int32');
  return {
    min: Math.max(
      openMin ? Math.floor(min) + 1 : Math.ceil(min),
      narrow ? -(2 ** 31) : Number.MIN_SAFE_INTEGER,
    ),
    max: Math.min(
      openMax ? Math.ceil(max) - 1 : Math.floor(max),
      narrow ? 2 ** 31 - 1 : Number.MAX_SAFE_INTEGER,
    ),
  };
}

function bounds(alternative: Alternative): Range & { openMin: boolean; openMax: boolean } {
  const lower = alternative.flatMap((schema) => [schema.minimum, schema.exclusiveMinimum]);
  const upper = alternative.flatMap((schema) => [schema.maximum, schema.exclusiveMaximum]);
  const min = Math.max(...lower.map((limit = Number.NEGATIVE_INFINITY) => limit));
  const max = Math.min(...upper.map((limit = Number.POSITIVE_INFINITY) => limit));
  return {
    ...{ min, max },
    openMin: alternative.some(({ exclusiveMinimum }) => exclusiveMinimum === min),
    openMax: alternative.some(({ exclusiveMaximum }) => exclusiveMaximum === max),
  };
}

const stepsOf = (alternative: Alternative): number[] =>
  alternative.flatMap((schema) => (schema.multipleOf === undefined ? [] : [schema.multipleOf]));

/** Generates integers, favoring small ones and the ends of the range; undefined if no value is valid. */
export function integers(alternative: Alternative): fc.Arbitrary<number> | undefined {
  const { min, max } = integerRange(alternative);
  if (min > max) return undefined;
  // Uses the largest integer `multipleOf`. The compiled schema filters the values by the others.
  const step = Math.max(1, ...stepsOf(alternative).filter(Number.isInteger));
  const [low, high] = [Math.ceil(min / step), Math.floor(max / step)];
  return low > high ? undefined : fc.integer({ min: low, max: high }).map((n) => n * step + 0);
}

/** Generates numbers with and without fractions; undefined if no value is valid. */
export function numbers(alternative: Alternative): fc.Arbitrary<number> | undefined {
  if (alternative.some(({ format }) => format === 'int32' || format === 'int64'))
    return integers(alternative);
  const { min, max, openMin, openMax } = bounds(alternative);
  const [step] = stepsOf(alternative);
  if (step !== undefined) {
    const [low, high] = [Math.ceil(Math.max(min, -1e9) / step), Math.floor(Math.min(max, 1e9) / step)];
    return low > high ? undefined : fc.integer({ min: low, max: high }).map((n) => rounded(n * step));
  }
  if (min > max) return undefined;
  const whole = integers(alternative);
  const fractions = fc
    .double({
      // Stays within ±1e15 if possible, because more distant bounds would produce mostly large values.
      min: Math.max(min, Math.min(-1e15, max)),
      max: Math.min(max, Math.max(1e15, min)),
      minExcluded: openMin,
      maxExcluded: openMax,
      noNaN: true,
    })
    // Replaces negative zero, which `JSON.stringify` writes as 0.
    .map((n) => n + 0);
  return whole ? fc.oneof(whole, fractions) : fractions;
}

/** Removes binary rounding errors (0.1 * 3) and negative zero. */
const rounded = (value: number): number => Number(value.toPrecision(15)) + 0;
