import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createTestDatabase } from '../../support/databases.ts';
import { openAt } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Kind = 'api' | 'worker';

const programs: Record<Kind, string[]> = {
  api: ['server/main.ts', '--empty', '--validator', 'ours'],
  worker: ['server/worker.ts'],
};
const begun: Record<Kind, RegExp> = { api: /http:\/\/[\d.]+:\d+/, worker: /sends webhooks/ };

/** Manages an API process and a worker on one database: starts, stops and kills them. */
export async function serviceAndWorker(settings: Record<string, string> = {}) {
  const database = await createTestDatabase();
  const keyFile = join(await temporaryFolder(), 'a.key');
  const store = await openAt(database.url);
  onTestFinished(() => store.close());
  const env = {
    ...process.env,
    NODE_ENV: '',
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: `file:${encodeURI(keyFile)}`,
    PARLEY_RATE_PER_MINUTE: '0',
    PARLEY_EMBEDDED_WORKER: 'no',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8',
    ...settings,
  };
  const said: string[] = [];
  const running: Partial<Record<Kind, ChildProcess>> = {};
  const address = { base: '' };

  async function start(kind: Kind): Promise<void> {
    const child = spawn(process.execPath, programs[kind], { env });
    running[kind] = child;
    child.stderr.on('data', (data) => said.push(String(data)));
    let out = '';
    child.stdout.on('data', (data) => {
      out += data;
    });
    const end = performance.now() + 60_000;
    while (!begun[kind].test(out)) {
      if (performance.now() > end || child.exitCode !== null) throw new Error(`No start: ${said.join('')}`);
      await wait(5);
    }
    if (kind === 'api') address.base = begun.api.exec(out)?.[0] ?? '';
  }

  async function kill(kind: Kind): Promise<void> {
    const child = running[kind];
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const over = once(child, 'exit');
    child.kill('SIGKILL');
    await over;
  }

  onTestFinished(async () => {
    await kill('api');
    await kill('worker');
  });
  return {
    database,
    store,
    /** The environment of the processes. */
    env,
    start,
    /** Text that the processes have written to stderr. */
    said,
    address,
    /** Sends SIGTERM to a process. @returns its exit code */
    async end(kind: Kind): Promise<number | null> {
      const child = running[kind];
      if (!child) throw new Error(`There is no ${kind}.`);
      const over = once(child, 'exit');
      child.kill('SIGTERM');
      await over;
      return child.exitCode;
    },
  };
}
