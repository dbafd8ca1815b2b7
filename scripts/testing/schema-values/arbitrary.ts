import fc from 'fast-check';
import type { JsonSchema } from './schema.ts';

/** Generates values that satisfy all given schemas. */
export type MakeValues = (schemas: readonly JsonSchema[]) => fc.Arbitrary<unknown>;

/** Thrown if no value that satisfies a schema can be generated. The message gives the reason. */
export class UnsatisfiableSchema extends Error {}

/** Thrown while a value is generated or a request sent, because the run is over. */
export class TimeIsOver extends Error {}

const mostRejected = 5_000;
let maxRejected = mostRejected;

/**
 * Generates one value.
 * @param count number of arbitraries that are tried. Of many, each may reject fewer values, because all may be impossible
 * @throws UnsatisfiableSchema
 */
export function tryValue(values: fc.Arbitrary<unknown>, count: number): void {
  maxRejected = Math.max(50, Math.floor(mostRejected / count));
  try {
    fc.sample(values, { numRuns: 1, seed: 1 });
  } finally {
    maxRejected = mostRejected;
  }
}

/**
 * Filters values. If no value matches, fast-check's own filter would search forever.
 * @throws UnsatisfiableSchema during generation, if more than `maxRejected` consecutive values do not match
 */
export function filterOrThrow<T>(
  values: fc.Arbitrary<T>,
  fits: (value: T) => boolean,
  why: string,
): fc.Arbitrary<T> {
  let refused = 0;
  return values.filter((value) => {
    if (fits(value)) {
      refused = 0;
      return true;
    }
    refused += 1;
    if (refused > maxRejected)
      throw new UnsatisfiableSchema(`None of ${maxRejected} generated values is valid: ${why}`);
    return false;
  });
}

/** Calls `make`. If the schema is unsatisfiable, returns undefined and adds the reason to `causes`. */
export function tryGenerate<T>(make: () => T, causes: string[] = []): T | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof UnsatisfiableSchema) {
      causes.push(error.message);
      return undefined;
    }
    throw error;
  }
}

/** Yields values of an arbitrary. The seeds are fixed, so that every call yields the same values. */
export function* sampleValues<T>(values: fc.Arbitrary<T>, count: number): Generator<T> {
  for (let seed = 1; seed <= count; seed += 1) yield* fc.sample(values, { numRuns: 1, seed });
}
