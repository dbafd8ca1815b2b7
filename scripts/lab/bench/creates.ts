import { Client } from 'pg';
import { createPostgresServer } from '../../lib/postgres-server.ts';
import { type Measurement, median } from '../../lib/statistics.ts';
import { createLabEnvironment, type LabEnvironment } from '../environment.ts';
import { startProxy } from '../tcp-proxy.ts';
import { createTenant, type Tenant } from '../tenant.ts';
import { reportsUsage, usageOf } from '../usage.ts';
import type { Workload, WorkloadRequest } from '../workload.ts';

const connections = 16;
const conversations = 64;
const companies = 8;
const warmUpSeconds = 2;
const turnSeconds = 1;

/** Creates per second that one company needs if a round trip to the database takes 3 ms. */
const neededPerSecond = 500;

/** The proxy delays each direction by this number of milliseconds; timers add about half a millisecond. */
const databases = [
  { where: 'local', delayMs: 0 },
  { where: 'distant', delayMs: 1 },
] as const;

/**
 * Measures creates over HTTP on PostgreSQL: of one company and of several, on a local and on a distant database. Their turns
 * alternate. Creates per second count too, because waiting for the database costs no CPU time.
 */
export async function benchCreates(
  { turns }: { turns: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const postgres = await createPostgresServer({ durable: true });
  await postgres.start();
  const proxy = await startProxy(postgres.port);
  const url = `postgres://parley@127.0.0.1:${proxy.port}/postgres`;
  const environment = createLabEnvironment(url);
  try {
    const { args, settings } = reportsUsage('cpu');
    const { child, output } = await environment.start([...args, 'server/main.ts', '--empty'], {
      says: /http:\/\/\S+/,
      settings,
    });
    const base = /http:\/\/\S+/.exec(output)?.[0] ?? '';
    const workloads = workloadsOf(await createTenants(environment));
    const load = await environment.load();
    const cases = databases.flatMap((database) => workloads.map((workload) => ({ database, workload })));
    const measured = cases.map((each) => ({ ...each, perSecond: [] as number[], cpu: [] as number[] }));
    for (let turn = 0; turn <= turns; turn += 1) {
      onProgress(turn === 0 ? 'creates: warm-up' : `creates: turn ${turn} of ${turns}`);
      for (const { database, workload, perSecond, cpu } of measured) {
        proxy.delay(database.delayMs);
        const before = await usageOf(child);
        const seconds = turn === 0 ? warmUpSeconds : turnSeconds;
        const result = await load({ url: base, workload, connections, until: { seconds } });
        if (result.wrong) throw new Error(`${workload.name}: ${result.wrong}.`);
        if (turn === 0) continue;
        perSecond.push(result.perSecond);
        cpu.push(((await usageOf(child)) - before) / result.requests);
      }
    }
    const roundTrips: Measurement[] = [];
    for (const { where, delayMs } of databases) {
      proxy.delay(delayMs);
      roundTrips.push({ what: `${where} database: round trip, ms`, values: [await roundTripMs(url)] });
    }
    return [...roundTrips, ...measured.flatMap(figuresOf)];
  } finally {
    await environment.close();
    proxy.close();
    await postgres.remove();
  }
}

function figuresOf({
  database: { where },
  workload: { name },
  perSecond,
  cpu,
}: {
  database: (typeof databases)[number];
  workload: Workload;
  perSecond: number[];
  cpu: number[];
}): Measurement[] {
  const isNeeded = where === 'distant' && name.endsWith('one company');
  return [
    {
      what: `${where} database: ${name}, per second`,
      values: perSecond,
      ...(isNeeded ? { goal: { least: neededPerSecond } } : {}),
    },
    { what: `${where} database: ${name}, µs of CPU time per create`, values: cpu },
  ];
}

/** Creates companies, the first with conversations. */
async function createTenants(environment: LabEnvironment): Promise<Tenant[]> {
  const tenants: Tenant[] = [];
  for (let made = 0; made < companies; made += 1) tenants.push(await createTenant(environment));
  await tenants[0]?.importRecords(
    Array.from({ length: conversations }, (_, at) => [
      { kind: 'contact', key: `c${at}`, first_name: 'Ada' },
      { kind: 'conversation', key: `t${at}`, contact: `c${at}`, service: 'mail' },
    ]).flat(),
  );
  return tenants;
}

function workloadsOf(tenants: readonly Tenant[]): Workload[] {
  const first = tenants.slice(0, 1);
  const create = (path: string, { headers }: Tenant, body: object): WorkloadRequest => ({
    method: 'POST',
    path: `/api/v1/${path}`,
    headers: { ...headers },
    body: JSON.stringify(body),
  });
  const contact = { first_name: 'Ada', last_name: 'Lindqvist', email_address: 'ada@example.com' };
  const messages = first.flatMap((tenant) =>
    Array.from({ length: conversations }, (_, at) =>
      create('messages', tenant, { conversation_id: at + 1, type: 'text', payload: 'It ships today.' }),
    ),
  );
  const contacts = (of: readonly Tenant[]) => of.map((tenant) => create('contacts', tenant, contact));
  return [
    { name: 'contacts of one company', status: 201, requests: contacts(first) },
    { name: 'messages of one company', status: 201, requests: messages },
    { name: `contacts of ${companies} companies`, status: 201, requests: contacts(tenants) },
  ];
}

async function roundTripMs(url: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const times: number[] = [];
  for (let asked = 0; asked < 100; asked += 1) {
    const startedAt = performance.now();
    await client.query('select 1');
    times.push(performance.now() - startedAt);
  }
  await client.end();
  return median(times);
}
