import { DatabaseSync } from 'node:sqlite';

/** Functions of Node that simulations replace. This module is loaded before. */
export const real = {
  Date,
  execute: DatabaseSync.prototype.exec,
  setImmediate,
  /** Milliseconds of real time. */
  now: performance.now.bind(performance),
};
