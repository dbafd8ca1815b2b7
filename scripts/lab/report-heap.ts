import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Preloaded into a service with `--import`. If BENCH_TELL_HEAP is set, the process collects garbage on SIGUSR2 and
 * prints its heap size in bytes.
 */

if (process.env.BENCH_TELL_HEAP) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    // The second collection frees finalized objects.
    collect();
    collect();
    process.stdout.write(`heap ${process.memoryUsage().heapUsed}\n`);
  });
}
