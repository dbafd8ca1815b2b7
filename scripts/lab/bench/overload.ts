import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setPriority } from 'node:os';
import { type Measurement, quantile } from '../../lib/statistics.ts';
import { asNpmStarts, createLabEnvironment, type LabEnvironment } from '../environment.ts';
import type { OpenLoopOptions, Stream, StreamOutcomes } from '../open-loop-load.ts';
import { createTenants, sampleContact } from './tenants.ts';

/** Longer than a burst, because the measured client sends few requests per second. */
const floodOfCompany = { seconds: 30, perSecond: 5_000 };
/** Requests without a valid token cost the service less, so overload needs more of them. */
const hostileFlood = { seconds: 20, perSecond: 40_000 };
/** Requests in the first seconds of a flood are not counted, because overload may not be detected yet. */
const settledSeconds = 2;
/** Each connection has one request at a time. With 1,000 connections, requests do not wait for a free one. */
const connections = 1_000;
/** Requests per second of the measured client: below the rate limit of a token. */
const measuredPerSecond = 15;
const contacts = 100;

/** Sends requests at a fixed rate (open loop), because real clients do not wait for one another. */
type Ask = (stream: Stream) => Promise<StreamOutcomes>;

/** Measures how much floods by another company, and with forged tokens, slow down a company. */
export async function benchOverload(
  { database }: { database: string | undefined },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const environment = createLabEnvironment(database);
  try {
    const { output } = await environment.start(asNpmStarts, { says: /http:\/\/\S+/ });
    const base = /http:\/\/\S+/.exec(output)?.[0] ?? '';
    const port = Number(new URL(base).port);
    const ask = await startLoadGenerator(environment, port);
    // The flooding process shares a core with the measured client, so it runs with the lowest priority.
    const flood = await startLoadGenerator(environment, port, 19);
    const [measured, other] = await createTenants(environment, base, 2);
    if (!measured || !other) throw new Error('The database has no company.');
    for (let made = 0; made < contacts; made += 1) await measured.post('/contacts', sampleContact(made));
    const forged = `ply_live_${'0'.repeat(measured.token.length - 15)}${measured.token.slice(-6)}`;
    const floods = [
      { name: 'another company', token: other.token, ...floodOfCompany },
      { name: 'forged tokens', token: forged, ...hostileFlood },
    ];
    const measurements: Measurement[] = [];
    for (const { name, token, seconds, perSecond } of floods) {
      onProgress(`overload: a flood by ${name}`);
      const own = streamOf(measured.token, { seconds, perSecond: measuredPerSecond, connections: 20 });
      const quiet = completed(await ask(own));
      const [beside] = await Promise.all([
        ask(own),
        flood(streamOf(token, { seconds, perSecond, connections })),
      ]);
      measurements.push(...figuresOf(`a flood by ${name}`, quiet, beside));
    }
    return measurements;
  } finally {
    await environment.close();
  }
}

const streamOf = (
  token: string,
  { seconds, ...rest }: { seconds: number; perSecond: number; connections: number },
): Stream => ({
  requests: [`GET /api/v1/contacts HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`],
  from: 0,
  to: seconds,
  ...rest,
});

/** @param niceness 19 is the lowest priority */
async function startLoadGenerator({ env, keep }: LabEnvironment, port: number, niceness = 0): Promise<Ask> {
  const child = keep(fork('scripts/lab/open-loop-load.ts', { env }));
  if (child.pid) {
    spawnSync('taskset', ['-acp', '1', String(child.pid)]);
    setPriority(child.pid, niceness);
  }
  await once(child, 'message');
  return async (stream) => {
    const response = once(child, 'message');
    child.send({ port, streams: [stream] } satisfies OpenLoopOptions);
    const [{ outcomes, error }] = (await response) as [{ outcomes?: StreamOutcomes[]; error?: string }];
    const [only] = outcomes ?? [];
    if (!only) throw new Error(error);
    return only;
  };
}

/** Returns the response times of completed requests in milliseconds, without those of the first seconds. */
const completed = ({ took, status, due }: StreamOutcomes): number[] =>
  took.filter((_, at) => Math.floor((status[at] ?? 0) / 100) === 2 && (due[at] ?? 0) >= settledSeconds);

function figuresOf(name: string, quiet: readonly number[], beside: StreamOutcomes): Measurement[] {
  const times = completed(beside);
  const slower = (share: number) => quantile(times, share) / quantile(quiet, share);
  return [
    { what: `${name}: 99th percentile beside it, × the idle one`, values: [slower(0.99)], goal: { most: 2 } },
    { what: `${name}: median beside it, × the idle one`, values: [slower(0.5)] },
    {
      what: `${name}: completed requests beside it, %`,
      values: [(100 * times.length) / beside.due.filter((second) => second >= settledSeconds).length],
      goal: { least: 99 },
    },
  ];
}
