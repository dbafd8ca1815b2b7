import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

/** The usage that a measured process can report. */
export type Usage = 'cpu' | 'heap';

/** Arguments of Node, and environment variables, for a process whose usage is measured. */
export const reportsUsage = (usage: Usage) => ({
  args: ['--import', pathToFileURL(`${import.meta.dirname}/report-usage.ts`).href],
  settings: { BENCH_REPORT: usage },
});

/** Returns the CPU time in microseconds, or the heap size in bytes, of a process that was started with `reportsUsage`. */
export async function usageOf(child: ChildProcess): Promise<number> {
  let text = '';
  const take = (data: Buffer) => {
    text += data;
  };
  child.stdout?.on('data', take);
  child.kill('SIGUSR2');
  while (!/usage \d+\n/.test(text)) if (child.stdout) await once(child.stdout, 'data');
  child.stdout?.off('data', take);
  return Number(/usage (\d+)/.exec(text)?.[1]);
}
