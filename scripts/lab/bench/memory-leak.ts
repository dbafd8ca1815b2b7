import type { ChildProcess } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { Measurement } from '../../lib/statistics.ts';
import { createLabEnvironment } from '../environment.ts';
import { heapOf } from '../heap-size.ts';

const megabyte = 1_048_576;
const requests = 1_000_000;

/** Measures whether requests and errors leak memory. */
export async function benchMemory(
  { database }: { database: string | undefined; rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const environment = createLabEnvironment(database);
  try {
    const { child, output } = await environment.start(
      ['--import', './scripts/lab/report-heap.ts', 'server/main.ts'],
      {
        says: /http:\/\/\S+/,
        settings: { BENCH_TELL_HEAP: 'yes', NODE_ENV: 'development', PARLEY_AUTH_FAILURES_PER_MINUTE: '0' },
      },
    );
    const base = /http:\/\/\S+/.exec(output)?.[0] ?? '';
    const token = /ply_live_\w+/.exec(await restOf(child, output))?.[0] ?? '';
    const load = await environment.load();
    const headers = { authorization: `Bearer ${token}` };
    const many = Array.from({ length: 997 }, (_, turn) => turn);
    // The parameters vary, so that a growing cache becomes visible.
    const workloads = [
      {
        status: 200,
        requests: many.map((turn) => ({ path: `/api/v1/contacts/${1 + (turn % 12)}`, headers })),
      },
      { status: 422, requests: many.map((turn) => ({ path: `/api/v1/contacts?x${turn}=${turn}`, headers })) },
      {
        status: 401,
        requests: many.map((turn) => ({ path: `/api/v1/${turn}`, headers: { 'x-request-id': `r${turn}` } })),
      },
      {
        status: 404,
        requests: many.map((turn) => ({
          path: `/api/v1/contacts/${9_000 + turn}`,
          headers: { ...headers, 'content-type': `a/b${turn}` },
        })),
      },
    ].map(({ status, requests: each }) => ({
      status,
      requests: each.map((sent) => ({ method: 'GET' as const, ...sent })),
    }));
    const ask = async (count: number) => {
      for (const workload of workloads) {
        const { wrong } = await load({
          url: base,
          workload,
          connections: 32,
          until: { requests: count / workloads.length },
        });
        if (wrong) throw new Error(wrong);
      }
    };
    onProgress('heap: warm-up');
    await ask(40_000);
    const before = await heapOf(child);
    const parts = 20;
    for (let part = 0; part < parts; part += 1) {
      onProgress(`heap: ${(part * requests) / parts} of ${requests} requests`);
      await ask(requests / parts);
    }
    const grown = ((await heapOf(child)) - before) / megabyte;
    return [
      {
        what: `heap after ${requests.toLocaleString('en')} requests, more than before, MB`,
        values: [grown],
        goal: { most: 2 },
      },
    ];
  } finally {
    await environment.close();
  }
}

/** Waits up to 2 s for the token in the startup output. @returns the whole output so far */
async function restOf(child: ChildProcess, output: string): Promise<string> {
  let text = output;
  child.stdout?.on('data', (data) => {
    text += data;
  });
  for (let looks = 0; looks < 100 && !text.includes('ply_live_'); looks += 1) await wait(20);
  return text;
}
