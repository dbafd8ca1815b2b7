import { createLabEnvironment } from '../environment.ts';
import { createTenant } from '../tenant.ts';
import { reportsUsage, usageOf } from '../usage.ts';
import type { FuzzTarget } from './fuzz-input.ts';

/** Starts the service that is fuzzed, on a temporary database. */
export async function startTargetService() {
  const environment = createLabEnvironment(undefined);
  try {
    const { child, url } = await environment.start([...reportsUsage, 'server/main.ts', '--empty'], {
      core: 'any',
      settings: { BENCH_REPORT: 'heap' },
    });
    const { token, importRecords } = await createTenant(environment);
    await importRecords([
      { kind: 'contact', key: 'c', first_name: 'Ada' },
      { kind: 'conversation', key: 't', contact: 'c', service: 'mail' },
    ]);
    const target: FuzzTarget = { token, conversationId: 1 };
    return {
      port: Number(new URL(url).port),
      target,
      /** Whether the service is still running. */
      lives: () => child.exitCode === null && child.signalCode === null,
      /** Returns the size of the heap in bytes. */
      heap: async () => (await usageOf(child)).memory,
      close: environment.close,
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}
