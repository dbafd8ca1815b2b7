import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createApiClient } from '../support/api-client.ts';
import { createTestDatabase } from '../support/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Starts the service in a process, as `npm start` does; by default on a new database. */
export async function spawnService(env: Record<string, string> = {}, given: string[] = []) {
  const database = await createTestDatabase({ empty: true });
  const keyFile = join(await temporaryFolder(), 'a.key');
  const settings = {
    NODE_ENV: '',
    PORT: '0',
    DATABASE_URL: database.url,
    PARLEY_SECRET_KEY: `file:${encodeURI(keyFile)}`,
  };
  const child = spawn(process.execPath, ['server/main.ts', ...given], {
    env: { ...process.env, ...settings, ...env },
  });
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  const heard = { out: '', err: '' };
  child.stdout.on('data', (data) => {
    heard.out += data;
  });
  child.stderr.on('data', (data) => {
    heard.err += data;
  });
  return { child, heard, database, keyFile };
}

/** Starts the service in a process, and waits until it listens. */
export async function startedService(env?: Record<string, string>, given?: string[]) {
  const service = await spawnService(env, given);
  const failed = exitCodeOf(service.child).then((code) => {
    throw new Error(`The service exited with ${code}: ${service.heard.err}`);
  });
  await Promise.race([expect.poll(() => service.heard.err).toContain('"started"'), failed]);
  const base = /http:\/\/[\d.]+:\d+/.exec(service.heard.out)?.[0] ?? '';
  return { ...service, base, api: createApiClient(base) };
}

/** Waits until a process exits. @returns its exit code; null if a signal ended it */
export async function exitCodeOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return child.exitCode;
}
