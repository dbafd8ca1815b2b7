import fc from 'fast-check';
import type { JsonSchema } from './schema.ts';

/** Makes values that fit all of some schemas. */
export type MakeValues = (schemas: readonly JsonSchema[]) => fc.Arbitrary<unknown>;

/** Thrown where no value can be found; it names the schema, and what stands in the way. */
export class UnsatisfiableSchema extends Error {}

const maxRefusals = 5_000;

/**
 * The values of an arbitrary that fit; fast-check's own filter would look for one for ever.
 * @throws UnsatisfiableSchema, while values are taken, where thousands in a row do not fit
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
    if (refused > maxRefusals) throw new UnsatisfiableSchema(`None of ${maxRefusals} values fits: ${why}`);
    return false;
  });
}

/** What can be made, or undefined where nothing can; the reason is put to the causes. */
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

/** Some values of an arbitrary, always the same ones, made one by one as they are asked for. */
export function* sampleValues<T>(values: fc.Arbitrary<T>, count: number): Generator<T> {
  for (let seed = 1; seed <= count; seed += 1) yield* fc.sample(values, { numRuns: 1, seed });
}
