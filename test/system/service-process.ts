import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createApiClient } from '../support/api-client.ts';
import { createTestDatabase } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

interface ProcessOptions {
  program?: 'main' | 'worker';
  given?: readonly string[];
  /** The folder of a copy of the project. Default: the project. */
  cwd?: string | undefined;
}

/** Starts a process of the service, as `npm start` does. */
export function spawnProcess(
  settings: Record<string, string>,
  { program = 'main', given = [], cwd }: ProcessOptions = {},
) {
  const child = spawn(process.execPath, [`server/${program}.ts`, ...given], {
    cwd,
    env: { ...process.env, NODE_ENV: '', PORT: '0', ...settings },
  });
  const heard = { out: '', err: '' };
  for (const [name, stream] of [['out', child.stdout] as const, ['err', child.stderr] as const])
    stream.on('data', (data) => {
      heard[name] += data;
    });
  /** The output of the process when it has ended, and its exit code; null if a signal ended it. */
  const ended = once(child, 'close').then(() => ({ code: child.exitCode, ...heard }));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    ...{ child, heard, ended },
    /** Sends SIGTERM. @returns the exit code */
    async stop(): Promise<number | null> {
      child.kill('SIGTERM');
      return (await ended).code;
    },
    /** Waits until the process has started. @returns its address; empty for a worker */
    async started(): Promise<string> {
      const failed = ended.then(({ code, err }) => {
        throw new Error(`The service exited with ${code}: ${err}`);
      });
      await Promise.race([expect.poll(() => heard.err).toContain('"started"'), failed]);
      return /http:\/\/[\d.]+:\d+/.exec(heard.out)?.[0] ?? '';
    },
  };
}

/** Without the second validator, whose load takes as long as the rest of the start. */
export const withoutSecondValidator = ['--validator', 'ours'];

/** Starts the service in a process, by default on a new database. `settings` start another one on the same database. */
export async function spawnService(
  env: Record<string, string> = {},
  given: readonly string[] = withoutSecondValidator,
) {
  const database = await createTestDatabase({ empty: true });
  const keyFile = join(await temporaryFolder(), 'a.key');
  const settings = { DATABASE_URL: database.url, PARLEY_SECRET_KEY: `file:${encodeURI(keyFile)}` };
  return { ...spawnProcess({ ...settings, ...env }, { given }), settings, database, keyFile };
}

/** Starts the service in a process, and waits until it listens. */
export async function startedService(env?: Record<string, string>, given?: readonly string[]) {
  const service = await spawnService(env, given);
  const base = await service.started();
  return { ...service, base, api: createApiClient(base) };
}

/** Starts the service in a process that ends by itself. */
export const endedService = async (env?: Record<string, string>, given?: readonly string[]) =>
  (await spawnService(env, given)).ended;
