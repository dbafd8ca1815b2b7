import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { quantile } from '../../../lib/statistics.ts';
import type { LabEnvironment } from '../../environment.ts';
import type { OpenLoopOptions, Stream, StreamOutcomes } from '../../open-loop-load.ts';

const idlePerSecond = 50;

export type Ask = (asked: OpenLoopOptions) => Promise<StreamOutcomes[]>;

/** Starts an open-loop load generator. @param niceness 19 is the lowest priority */
export async function startLoadGenerator({ env, keep }: LabEnvironment, niceness = 0): Promise<Ask> {
  const child = keep(fork('scripts/lab/open-loop-load.ts', { env }));
  if (child.pid) {
    spawnSync('taskset', ['-acp', '1', String(child.pid)]);
    setPriority(child.pid, niceness);
  }
  await once(child, 'message');
  return async (asked) => {
    const response = once(child, 'message');
    child.send(asked);
    const [{ outcomes, error }] = (await response) as [{ outcomes?: StreamOutcomes[]; error?: string }];
    if (!outcomes) throw new Error(error);
    return outcomes;
  };
}

export const milliseconds = (
  { took, status, due }: StreamOutcomes,
  from = 0,
  to = Number.POSITIVE_INFINITY,
): number[] =>
  took.filter((_, at) => {
    const [code = 0, second = 0] = [status[at], due[at]];
    return code >= 200 && code < 300 && second >= from && second < to;
  });

export const p99 = (values: readonly number[]): number => quantile(values, 0.99);

export const idle = (requests: string[], to: number): Stream => ({
  requests,
  perSecond: idlePerSecond,
  from: 0,
  to,
  connections: 20,
});

export async function only(ask: Ask, port: number, stream: Stream): Promise<StreamOutcomes> {
  const [outcomes] = await ask({ port, streams: [stream] });
  if (!outcomes) throw new Error('The child process reported nothing.');
  return outcomes;
}

/** Measures the capacity in requests per second: how fast 16 connections complete 10,000 requests. */
export async function capacityFor(ask: Ask, port: number, requests: string[]): Promise<number> {
  const most = 20_000;
  const { due, took } = await only(ask, port, {
    requests,
    perSecond: most,
    from: 0,
    to: 0.5,
    connections: 16,
  });
  const seconds = Math.max(...due.map((second, at) => second + (took[at] ?? 0) / 1_000));
  return due.length / seconds;
}
