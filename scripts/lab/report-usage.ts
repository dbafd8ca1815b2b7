import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Preloaded into a measured process with `--import`. On SIGUSR2, the process prints the CPU time of all its threads in
 * microseconds, and its memory in bytes: as a whole, or with BENCH_REPORT=heap the heap after a garbage collection.
 */

let memory = () => process.memoryUsage.rss();
if (process.env.BENCH_REPORT === 'heap') {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  memory = () => {
    // The second collection frees finalized objects.
    collect();
    collect();
    return process.memoryUsage().heapUsed;
  };
}

process.on('SIGUSR2', () => {
  const { user, system } = process.cpuUsage();
  process.stdout.write(`usage ${user + system} ${memory()}\n`);
});
