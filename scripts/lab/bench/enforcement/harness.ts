import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClosedLoopOptions, Workload } from '../../closed-loop-load.ts';
import { createLabEnvironment, type LabEnvironment } from '../../environment.ts';
import { createTenant, type Tenant } from '../../tenant.ts';
import { reportsUsage, usageOf } from '../../usage.ts';
import type { Implementation } from './implementations.ts';
import { contactCount, createWorkloads } from './workloads.ts';

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
