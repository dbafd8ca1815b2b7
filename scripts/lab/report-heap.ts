import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/*
 * Loaded before a service: at SIGUSR2 it collects what nobody needs any more and writes how much is left, in bytes.
 */

if (process.env.BENCH_TELL_HEAP) {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    // What waits to be finished off is gone after the second time.
    collect();
    collect();
    process.stdout.write(`heap ${process.memoryUsage().heapUsed}\n`);
  });
}
