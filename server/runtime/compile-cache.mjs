/*
 * Caches the compiled code of our files, so that the next process starts faster and uses less memory. This file is
 * loaded before all others (`node --import`). It is JavaScript, because a single TypeScript file would load the whole
 * type stripper. Processes also work without the cache, but start more slowly.
 */
import '../lib/require-node.mjs';
import { join } from 'node:path';

// Imported dynamically, because Node 20 lacks it.
const { enableCompileCache } = await import('node:module');

// The cache is next to the packages, because a user who can write there can change the code anyway. Without write
// permission nothing is cached. Threads and child processes read the variable.
process.env.NODE_COMPILE_CACHE ||= join(import.meta.dirname, '../../node_modules/.cache/compiled');
enableCompileCache(process.env.NODE_COMPILE_CACHE);
