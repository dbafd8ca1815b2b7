import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';

/** Starts a process and kills it after a given time, unless it has ended. */
export async function killStarting(
  given: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string },
  afterMs: number,
): Promise<void> {
  const child = spawn(process.execPath, given, {
    ...options,
    env: { ...options.env, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  });
  const over = once(child, 'exit');
  const patience = new AbortController();
  await Promise.race([wait(afterMs, undefined, { signal: patience.signal }).catch(() => {}), over]);
  patience.abort();
  if (child.exitCode === null) child.kill('SIGKILL');
  await over;
}
