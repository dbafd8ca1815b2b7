import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { vi } from 'vitest';
import { type ApiClient, createApiClient } from '../../support/api-client.ts';
import { createCompany, startService } from '../../support/service.ts';
import { type OnCleanup, temporaryFolder } from '../../support/temporary-folder.ts';

export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** Starts several API processes on one database, optionally with separate workers. */
export async function startProcesses(
  onCleanup: OnCleanup,
  { apis = 3, workers = 0, settings = {} as Record<string, string> } = {},
) {
  const service = await startService({ onCleanup });
  const keyFile = join(await temporaryFolder(onCleanup), 'a.key');
  const env = {
    ...process.env,
    NODE_ENV: '',
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATABASE_URL: service.database.url,
    PARLEY_SECRET_KEY: `file:${encodeURI(keyFile)}`,
    PARLEY_RATE_PER_MINUTE: '0',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8',
    PARLEY_EMBEDDED_WORKER: workers > 0 ? 'no' : 'yes',
    ...settings,
  };
  const said: string[] = [];
  /** Starts a process and waits for matching output. @returns the match, and the log, which continues to grow */
  const start = async (given: string[], says: RegExp) => {
    const child = spawn(process.execPath, given, { env });
    onCleanup(async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    });
    const logged: string[] = [];
    let out = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    child.stderr.on('data', (data) => {
      said.push(String(data));
      logged.push(String(data));
    });
    const found = await vi.waitFor(
      () => {
        const match = says.exec(out)?.[0];
        if (!match) throw new Error(`The process has not started: ${said.join('')}`);
        return match;
      },
      { timeout: 60_000 },
    );
    return { found, logged };
  };
  const times = <T>(count: number, make: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, make));
  const [services, working] = await Promise.all([
    times(apis, () => start(['server/main.ts', '--empty', '--validator', 'ours'], /http:\/\/[\d.]+:\d+/)),
    times(workers, () => start(['server/worker.ts'], /sends webhooks/)),
  ]);
  const bases = services.map(({ found }) => found);
  /** Creates a company. Each call of `any` returns a client of the next process. */
  const company = async () => {
    const made = await createCompany(service.store, service.base);
    const { token, id: tokenId } = await made.token();
    let next = 0;
    const any = (): ApiClient => {
      next += 1;
      return createApiClient(bases[next % bases.length] ?? '', token, untilThereIsRoom);
    };
    return { ...made, any, token, tokenId };
  };
  return { ...service, company, said, bases, workers: working };
}

/** Retries a request that gets 503 after the delay in Retry-After: services on a slow machine shed some requests. */
const untilThereIsRoom: typeof fetch = async (...asked) => {
  const response = await fetch(...asked);
  if (response.status !== 503) return response;
  await response.body?.cancel();
  await setTimeout(Number(response.headers.get('retry-after')) * 1_000);
  return untilThereIsRoom(...asked);
};

/** Runs a function many times concurrently. */
export const concurrently = <T>(count: number, ask: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => ask(index)));

/** Counts how often each outcome occurs. */
export function countOutcomes(outcomes: readonly (string | number)[]): Record<string, number> {
  const tally: Record<string, number> = {};
  for (const outcome of outcomes) tally[outcome] = (tally[outcome] ?? 0) + 1;
  return tally;
}
