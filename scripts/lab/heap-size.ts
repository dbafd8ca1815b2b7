import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Returns the heap size of a process that has loaded report-heap.ts, after a garbage collection, in bytes. */
export async function heapOf(child: ChildProcess): Promise<number> {
  let text = '';
  const take = (data: Buffer) => {
    text += data;
  };
  child.stdout?.on('data', take);
  child.kill('SIGUSR2');
  while (!/heap \d+/.test(text)) if (child.stdout) await once(child.stdout, 'data');
  child.stdout?.off('data', take);
  return Number(/heap (\d+)/.exec(text)?.[1]);
}
