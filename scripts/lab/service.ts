import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inTemporaryFolder } from '../lib/folders.ts';
import type { LabEnvironment } from './environment.ts';

/** A company in the database of a lab environment. */
export interface Tenant {
  id: string;
  /** A token with all scopes. */
  token: string;
  /** The headers of requests with JSON. */
  headers: { authorization: string; 'content-type': string };
  /** Imports records, in the format of `parley import`. In an empty database, their IDs are their numbers, from 1. */
  importRecords: (records: readonly object[]) => Promise<void>;
}

/** Creates a company and its token with the operator's commands. */
export async function createTenant({ parley }: LabEnvironment): Promise<Tenant> {
  const id = String((await parley('company', 'create', '--name', 'Acme')).id);
  const token = String((await parley('token', 'create', '--company', id, '--user', '1')).token);
  return {
    ...{ id, token },
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    importRecords: (records) =>
      inTemporaryFolder(async (folder) => {
        const file = join(folder, 'records.ndjson');
        await writeFile(file, records.map((record) => JSON.stringify(record)).join('\n'));
        await parley('import', '--company', id, file);
      }),
  };
}

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
