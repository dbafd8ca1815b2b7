import { type Measurement, quantile } from '../../lib/statistics.ts';
import { asNpmStarts, createLabEnvironment, type LabEnvironment } from '../environment.ts';
import type { Stream, StreamOutcomes } from '../open-loop-load.ts';
import {
  type Ask,
  capacityFor,
  idle,
  milliseconds,
  only,
  p99,
  startLoadGenerator,
} from './overload/load-generator.ts';
import { bodyOf, hostileFloods, worksOf } from './overload/workloads.ts';

/*
 * Measures responses under overload. Clients send at a fixed rate (open loop), because real clients do not wait for
 * one another.
 */

const idleSeconds = 10;
const overload = 3;
const loadSeconds = 20;
/** Longer than `loadSeconds`, because the measured client sends few requests per second, below its fair share. */
const floodSeconds = 60;
const defaultFlood = { seconds: floodSeconds, perSecond: 5_000 };
/** Floods without a valid token cost the service less, so overload needs more requests. */
const hostile = { seconds: 20, perSecond: 40_000 };
/** Duration of the recovery measurement. */
const afterSeconds = 4;
/** Requests in the first seconds of a flood are not counted, because overload may not be detected yet. */
const settledSeconds = 2;
/** Each connection has one request at a time. With 1,000 connections, requests do not wait for a free one. */
const connections = 1_000;

interface Company {
  token: string;
  more: string[];
}

export async function benchOverload(
  { database }: { database: string | undefined; rounds: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const environment = createLabEnvironment(database);
  try {
    const ask = await startLoadGenerator(environment);
    // The flooding process shares a core with the measured client, so it runs with low priority.
    const question = { ask, flood: await startLoadGenerator(environment, 19) };
    const measurements: Measurement[] = [];
    const free = await startService(environment, {});
    const acme = await makeCompany(environment, free.port, 1);
    for (const [name, requests] of worksOf(acme.token)) {
      onProgress(`load: ${name}`);
      measurements.push(...(await underLoad(ask, free.port, name, requests)));
    }
    const flood = await makeCompany(environment, free.port, 20);
    onProgress('flood: twenty tokens without a limit');
    const many = flood.more.flatMap((token) => worksOf(token)[0]?.[1] ?? []);
    measurements.push(
      ...(await besideAFlood(question, free.port, 'a flood by twenty tokens without a limit', acme, many)),
    );
    await environment.end(free.child);
    const limited = await startService(environment, {
      PARLEY_RATE_PER_MINUTE: '1200',
      PARLEY_RATE_BURST: '200',
    });
    onProgress('flood: one token beyond its limit');
    const one = worksOf(flood.token)[0]?.[1] ?? [];
    measurements.push(
      ...(await besideAFlood(question, limited.port, 'a flood by one token beyond its limit', acme, one)),
    );
    const revoked = await revokedToken(environment, limited.port);
    for (const [name, requests] of hostileFloods(acme.token, revoked)) {
      onProgress(`flood: ${name}`);
      measurements.push(
        ...(await besideAFlood(question, limited.port, `a flood of ${name}`, acme, requests, hostile)),
      );
    }
    return measurements;
  } finally {
    await environment.close();
  }
}

async function startService(environment: LabEnvironment, settings: Record<string, string>) {
  const { child, output } = await environment.start(asNpmStarts, {
    says: /http:\/\/\S+/,
    settings,
  });
  return { child, port: Number(new URL(/http:\/\/\S+/.exec(output)?.[0] ?? '').port) };
}

async function makeCompany(environment: LabEnvironment, port: number, tokens: number): Promise<Company> {
  const { id } = await environment.parley('company', 'create', '--name', 'A company');
  const more: string[] = [];
  for (let count = 0; count < tokens; count += 1) {
    const { token } = await environment.parley('token', 'create', '--company', String(id), '--user', '1');
    more.push(String(token));
  }
  const [token = ''] = more;
  for (let count = 0; count < 100; count += 1)
    await fetch(`http://127.0.0.1:${port}/api/v1/contacts`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: bodyOf(count),
    });
  return { token, more };
}

/** Creates a token of the first company, uses it once and revokes it. @returns the token */
async function revokedToken({ parley }: LabEnvironment, port: number): Promise<string> {
  const { token, id } = await parley('token', 'create', '--company', '1', '--user', '1');
  await fetch(`http://127.0.0.1:${port}/api/v1/fields`, { headers: { authorization: `Bearer ${token}` } });
  await parley('token', 'revoke', '--company', '1', '--token', String(id));
  return String(token);
}

async function underLoad(ask: Ask, port: number, name: string, requests: string[]): Promise<Measurement[]> {
  // Warm-up.
  await capacityFor(ask, port, requests);
  const calm = p99(milliseconds(await only(ask, port, idle(requests, idleSeconds))));
  const capacity = await capacityFor(ask, port, requests);
  const [overloaded, after] = await ask({
    port,
    streams: [
      { requests, perSecond: overload * capacity, from: 0, to: loadSeconds, connections },
      { ...idle(requests, loadSeconds + afterSeconds), from: loadSeconds },
    ],
  });
  if (!overloaded || !after) throw new Error('The child process reported nothing.');
  const answered = milliseconds(overloaded);
  return [
    { what: `${name}: 99th percentile when idle, ms`, values: [calm] },
    { what: `${name}: capacity, per second`, values: [capacity] },
    {
      what: `${name}: completed at ${overload} × capacity, per second`,
      values: [answered.length / loadSeconds],
    },
    {
      what: `${name}: 99th percentile of those, × the idle one`,
      values: [p99(answered) / calm],
      goal: { most: 5 },
    },
    { what: `${name}: recovery time, s`, values: [recovery(after, calm)], goal: { most: 2 } },
    {
      what: `${name}: requests without a response`,
      values: [overloaded.unanswered + after.unanswered],
      goal: { most: 0 },
    },
  ];
}

/**
 * Returns the time from the end of the load to the last request that failed or was slow, in seconds.
 * @param calm the 99th percentile when idle, in milliseconds; a request that takes more than five times as long is slow
 */
function recovery({ due, took, status }: StreamOutcomes, calm: number): number {
  const late = due.filter((_, at) => status[at] !== 200 && status[at] !== 201);
  const slow = due.filter((_, at) => (took[at] ?? 0) > 5 * calm);
  return Math.max(0, ...[...late, ...slow].map((second) => second - loadSeconds));
}

async function besideAFlood(
  { ask, flood: askMuch }: { ask: Ask; flood: Ask },
  port: number,
  name: string,
  acme: Company,
  flood: string[],
  { seconds, perSecond } = defaultFlood,
): Promise<Measurement[]> {
  const own = worksOf(acme.token)[0]?.[1] ?? [];
  await capacityFor(askMuch, port, flood);
  // Below a token's rate limit of 20 requests/s.
  const few = (to: number): Stream => ({ ...idle(own, to), perSecond: 15 });
  const quiet = milliseconds(await only(ask, port, few(seconds)));
  const much = { requests: flood, perSecond, from: 0, to: seconds, connections };
  const [beside] = await Promise.all([only(ask, port, few(seconds)), only(askMuch, port, much)]);
  // Excludes the start, when overload may not be detected yet: a few slow requests would determine the percentile.
  const answered = milliseconds(beside, settledSeconds);
  const asked = beside.due.filter((second) => second >= settledSeconds);
  return [
    {
      what: `${name}: 99th percentile of another company, × the idle one`,
      values: [p99(answered) / p99(quiet)],
      goal: { most: 2 },
    },
    {
      what: `${name}: its median, × the idle one`,
      values: [quantile(answered, 0.5) / quantile(quiet, 0.5)],
    },
    {
      what: `${name}: its 90th percentile, × the idle one`,
      values: [quantile(answered, 0.9) / quantile(quiet, 0.9)],
    },
    {
      what: `${name}: completed requests, %`,
      values: [(100 * answered.length) / asked.length],
      goal: { least: 99 },
    },
  ];
}
