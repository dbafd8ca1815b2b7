import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Preloaded into a service: on SIGUSR2 it collects garbage and writes the heap size in bytes.
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
