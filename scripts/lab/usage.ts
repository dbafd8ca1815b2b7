import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';

/** The usage that a measured process can report. */
export type Usage = 'cpu' | 'memory' | 'heap';

/** Arguments of Node, and environment variables, for a process whose usage is measured. */
export const reportsUsage = (usage: Usage) => ({
  args: ['--import', pathToFileURL(`${import.meta.dirname}/report-usage.ts`).href],
  settings: { BENCH_REPORT: usage },
});

/** Returns the CPU time in microseconds, or the heap size in bytes, of a process that was started with `reportsUsage`. */
export const usageOf = async (child: ChildProcess): Promise<number> =>
  (await reportOf(child))[0] ?? Number.NaN;

/** Returns the CPU time in microseconds, and the memory in bytes, of a process whose `memory` is reported. */
export async function cpuAndMemoryOf(child: ChildProcess): Promise<{ cpu: number; memory: number }> {
  const [cpu = Number.NaN, memory = Number.NaN] = await reportOf(child);
  return { cpu, memory };
}

async function reportOf(child: ChildProcess): Promise<number[]> {
  let text = '';
  const take = (data: Buffer) => {
    text += data;
  };
  child.stdout?.on('data', take);
  child.kill('SIGUSR2');
  while (!/usage [\d ]+\n/.test(text)) if (child.stdout) await once(child.stdout, 'data');
  child.stdout?.off('data', take);
  return (/usage ([\d ]+)/.exec(text)?.[1] ?? '').split(' ').map(Number);
}
