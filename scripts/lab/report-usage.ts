import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Preloaded into a measured process with `--import`. On SIGUSR2, the process prints what BENCH_REPORT names: `cpu`, the CPU
 * time of all its threads in microseconds, `memory`, the same and the memory of the process in bytes, or `heap`, the size of its
 * heap in bytes after a garbage collection.
 */

const { BENCH_REPORT } = process.env;

if (BENCH_REPORT === 'cpu')
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage();
    process.stdout.write(`usage ${user + system}\n`);
  });

if (BENCH_REPORT === 'memory')
  process.on('SIGUSR2', () => {
    const { user, system } = process.cpuUsage();
    process.stdout.write(`usage ${user + system} ${process.memoryUsage.rss()}\n`);
  });

if (BENCH_REPORT === 'heap') {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    // The second collection frees finalized objects.
    collect();
    collect();
    process.stdout.write(`usage ${process.memoryUsage().heapUsed}\n`);
  });
}
