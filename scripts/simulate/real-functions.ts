import { DatabaseSync } from 'node:sqlite';

/** Functions of Node that simulations replace. This module is loaded before. */
export const real = {
  Date,
  DatabaseSync,
  setImmediate,
  /** Milliseconds of real time. */
  now: performance.now.bind(performance),
};
