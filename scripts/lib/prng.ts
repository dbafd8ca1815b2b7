/** Numbers by chance, the same ones for the same seed. */
export interface Prng {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from 0 up to, and without, this. */
  below(count: number): number;
  oneOf<T>(choices: readonly T[]): T;
}

/** @param seed a whole number (mulberry32) */
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
      if (chosen === undefined) throw new Error('There is nothing to choose from.');
      return chosen;
    },
  };
}
