import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

/** Arguments of Node for a process whose usage is measured. With BENCH_REPORT=heap, its memory is that of the heap. */
export const reportsUsage = ['--import', pathToFileURL(`${import.meta.dirname}/report-usage.ts`).href];

/** Returns the CPU time in microseconds, and the memory in bytes, of a process that was started with `reportsUsage`. */
export async function usageOf(child: ChildProcess): Promise<{ cpu: number; memory: number }> {
  let text = '';
  const take = (data: Buffer) => {
    text += data;
  };
  child.stdout?.on('data', take);
  child.kill('SIGUSR2');
  while (!/usage \d+ \d+\n/.test(text)) if (child.stdout) await once(child.stdout, 'data');
  child.stdout?.off('data', take);
  const [, cpu, memory] = /usage (\d+) (\d+)/.exec(text) ?? [];
  return { cpu: Number(cpu), memory: Number(memory) };
}
