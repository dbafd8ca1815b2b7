/** A pseudorandom number generator. The same seed produces the same numbers. */
export interface Prng {
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** Returns an integer from 0 (inclusive) to `count` (exclusive). */
  below(count: number): number;
  oneOf<T>(choices: readonly T[]): T;
}

/** Creates a generator that uses the mulberry32 algorithm. @param seed an integer */
export function createPrng(seed: number): Prng {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    next,
    below,
    oneOf<T>(choices: readonly T[]): T {
      const chosen = choices[below(choices.length)];
      if (chosen === undefined) throw new Error('The list is empty.');
      return chosen;
    },
  };
}
