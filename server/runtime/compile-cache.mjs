/*
 * Keeps what Node has made of our files, so that the next process need not make it again: that takes time at a start,
 * and the memory of what takes the types out. It is loaded before everything else (`node --import`), and is no TypeScript
 * for that reason: with one such file alone all of it would be loaded. Without it a process works as well, only later.
 */
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

// Next to the packages: a user who can write there can change the programs anyway. Without write permission no cache is kept.
enableCompileCache(
  process.env.NODE_COMPILE_CACHE || join(import.meta.dirname, '../../node_modules/.cache/compiled'),
);
