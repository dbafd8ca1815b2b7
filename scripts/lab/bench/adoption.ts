import { cp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  adoptRuntime,
  applicationNames,
  compileApplication,
  installApplication,
} from '../adoption/application.ts';
import { packRuntime } from '../adoption/packages.ts';
import { commonHeaders, type Violations, violationsOf } from '../adoption/violations.ts';
import type { ClosedLoopOptions, ClosedLoopResult } from '../closed-loop-load.ts';
import { createLabEnvironment, type LabEnvironment } from '../environment.ts';
import { reportsUsage, usageOf } from '../service.ts';
import type { Measurement } from './measurement.ts';

/** Requests before the memory is measured, and while the CPU time is measured. */
const counts = { warmUp: 1_000, measured: 2_000 };

/** The middleware of an application. */
const forms = ['stock', 'ours'] as const;

const metrics = {
  responded: 'start to first response, ms',
  memory: `memory after ${counts.warmUp} requests, MB`,
  cpu: 'µs of CPU time per request',
} as const;

type Turn = Record<keyof typeof metrics, number>;

interface Tools {
  environment: LabEnvironment;
  load: (asked: ClosedLoopOptions) => Promise<ClosedLoopResult>;
}

/**
 * Measures the applications of `test/applications` with the middleware that they were written for, and with the runtime. Each
 * turn starts a process of each application in both forms, which alternate. It needs the npm registry.
 */
export async function benchAdoption(
  { turns }: { turns: number },
  onProgress: (text: string) => void,
): Promise<Measurement[]> {
  const environment = createLabEnvironment(undefined);
  const { folder } = environment;
  try {
    const tools = { environment, load: await environment.load() };
    const tarball = await packRuntime(join(folder, 'packed'));
    for (const name of applicationNames) {
      onProgress(`adoption: install ${name}`);
      await install(name, folder, tarball);
    }
    const measurements: Measurement[] = [];
    for (const name of applicationNames) {
      const taken: Record<(typeof forms)[number], Turn[]> = { stock: [], ours: [] };
      for (let turn = 0; turn < turns; turn += 1) {
        onProgress(`adoption: ${name}, turn ${turn + 1} of ${turns}`);
        for (const form of turn % 2 === 0 ? forms : forms.toReversed())
          taken[form].push(await takeTurn(join(folder, name, form), violationsOf(name), tools));
      }
      for (const [metric, what] of Object.entries(metrics) as [keyof Turn, string][])
        for (const form of forms)
          measurements.push({
            what: `${name}, ${form}: ${what}`,
            values: taken[form].map((each) => each[metric]),
          });
      // Compares neighboring turns, because a shared machine is twice as fast in one minute as in the next.
      measurements.push({
        what: `${name}: CPU time per request, ours / stock`,
        values: taken.ours.map(({ cpu }, turn) => cpu / (taken.stock[turn]?.cpu ?? Number.NaN)),
      });
    }
    return measurements;
  } finally {
    await environment.close();
  }
}

/** Installs an application in both forms. */
async function install(name: string, folder: string, tarball: string): Promise<void> {
  const [stock, ours] = [join(folder, name, 'stock'), join(folder, name, 'ours')];
  await installApplication(name, stock);
  await cp(stock, ours, { recursive: true });
  await adoptRuntime(ours, tarball);
  for (const form of [stock, ours]) await compileApplication(form, dirname(process.execPath));
}

/** Starts an application, and sends it the valid requests that change nothing. @throws Error for an unexpected status */
async function takeTurn(cwd: string, planted: Violations, { environment, load }: Tools): Promise<Turn> {
  const requests = planted.requests.filter((each) => each.part === 'valid' && each.method === 'GET');
  const beganAt = performance.now();
  const { child, url } = await environment.start([...reportsUsage, 'server.js'], {
    cwd,
    says: /http:\/\/\S+\n/,
  });
  const headers = await commonHeaders(url, planted);
  const workload = {
    status: 200,
    requests: requests.map(({ path }) => ({ method: 'GET' as const, path, headers })),
  };
  const send = async (count: number) => {
    const { wrong } = await load({ url, workload, connections: 4, until: { requests: count } });
    if (wrong) throw new Error(`${cwd}: ${wrong}.`);
  };
  await send(1);
  const responded = performance.now() - beganAt;
  await send(counts.warmUp);
  const before = await usageOf(child);
  await send(counts.measured);
  const after = await usageOf(child);
  await environment.end(child);
  return {
    responded,
    memory: before.memory / 1e6,
    cpu: (after.cpu - before.cpu) / counts.measured,
  };
}
