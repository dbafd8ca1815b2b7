import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClosedLoopOptions, Workload } from '../../closed-loop-load.ts';
import { createLabEnvironment, type LabEnvironment } from '../../environment.ts';
import { createTenant, reportsUsage, type Tenant, usageOf } from '../../service.ts';
import type { Implementation } from './implementations.ts';

/**
 * Runs a workload.
 * @returns CPU time per request in microseconds, and requests per second
 * @throws Error for an unexpected status
 */
export type RunWorkload = (
  workload: Workload,
  how: Pick<ClosedLoopOptions, 'connections' | 'until'>,
) => Promise<{ cpu: number; perSecond: number }>;

interface Harness {
  workloads: readonly Workload[];
  /** Starts an implementation on a copy of the data. */
  start: (name: Implementation) => Promise<RunWorkload>;
  close: () => Promise<void>;
}

/** Creates the harness, which runs the same workloads on the same data for each implementation. */
export async function createHarness(): Promise<Harness> {
  const environment = createLabEnvironment(undefined);
  const { close, folder } = environment;
  try {
    const workloads = createWorkloads(await createDataset(environment));
    const load = await environment.load();
    let entered = 0;
    return {
      workloads,
      async start(name) {
        entered += 1;
        const file = join(folder, `${entered}.db`);
        await copyFile(join(folder, 'parley.db'), file);
        const { child, url } = await environment.start(
          [...reportsUsage, 'scripts/lab/bench/enforcement/implementation-process.ts'],
          {
            settings: { BENCH_CONTESTANT: name, BENCH_DATABASE: file },
          },
        );
        return async (workload, how) => {
          const before = await usageOf(child);
          const { requests, perSecond, wrong } = await load({ url, workload, ...how });
          if (wrong) throw new Error(`${name}, ${workload.name}: ${wrong}.`);
          return { cpu: ((await usageOf(child)).cpu - before.cpu) / requests, perSecond };
        };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Creates a company with a conversation and contacts, which have three field values each. */
async function createDataset(environment: LabEnvironment): Promise<Tenant> {
  const tenant = await createTenant(environment);
  for (const [name, type] of [
    ['City', 'short_text'],
    ['Orders', 'numbers'],
    ['Customer since', 'date'],
  ] as const)
    await environment.parley('field', 'create', '--company', tenant.id, '--name', name, '--type', type);
  const values = ['Malmö', '17', '2024-05-01'];
  const contacts = Array.from({ length: contactCount }, (_, number) => ({
    ...{ kind: 'contact', key: `c${number}`, first_name: 'Ada', last_name: `Lindqvist ${number}` },
    email_address: `person.${number}@example.com`,
    telephone_number: '+46701234567',
    from_email: true,
    fields: values.map((value, index) => ({ id: index + 1, value })),
  }));
  await tenant.importRecords([
    ...contacts,
    { kind: 'conversation', key: 't', contact: 'c0', service: 'webchat' },
  ]);
  return tenant;
}

const contactCount = 1_000;
const many = 100;

/** Returns all workloads. The company has contacts, and a conversation with the ID 1. */
function createWorkloads({ headers }: Pick<Tenant, 'headers'>): Workload[] {
  const get = (name: string, pathOf: (turn: number) => string): Workload => ({
    name,
    status: 200,
    requests: Array.from({ length: many }, (_, turn) => ({
      method: 'GET',
      path: `/api/v1${pathOf(turn)}`,
      headers: { authorization: headers.authorization },
    })),
  });
  const post = (name: string, path: string, bodyOf: (turn: number) => object): Workload => ({
    name,
    status: 201,
    requests: Array.from({ length: many }, (_, turn) => ({
      method: 'POST',
      path: `/api/v1${path}`,
      headers: { ...headers },
      body: JSON.stringify(bodyOf(turn)),
    })),
  });
  return [
    get('get a contact', (turn) => `/contacts/${1 + ((turn * 7) % contactCount)}`),
    get('list 20', (turn) => `/contacts?per_page=20&page=${turn % 10}`),
    get('list 100', (turn) => `/contacts?per_page=100&page=${turn % 5}`),
    post('create a contact', '/contacts', (turn) => ({
      first_name: 'Zoe',
      last_name: `Okafor ${turn}`,
      email_address: `zoe.${turn}@example.com`,
      telephone_number: '+2348012345678',
      fields: [1, 2, 3].map((id, at) => ({ id, value: ['Lagos', '3', '2025-02-03'][at] })),
    })),
    post('create a message', '/messages', (turn) => ({
      conversation_id: 1,
      type: 'text',
      payload: `Good morning, this is message ${turn}. The parcel has not come yet.`,
    })),
  ];
}
