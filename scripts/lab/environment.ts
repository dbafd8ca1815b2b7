import { type ChildProcess, execFile, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClosedLoopOptions, ClosedLoopResult } from './closed-loop-load.ts';

const run = promisify(execFile);

export type Core = 0 | 1 | 'any';

/** Whether `taskset` can pin the measured process to one core and its peer to another. */
const canPin = spawnSync('taskset', ['--version']).status === 0;

const urlShape = /http:\/\/\S+/;

const pinned = (core: Core, command: string[]): [string, string[]] => {
  const [program = '', ...given] =
    canPin && core !== 'any' ? ['taskset', '-c', String(core), ...command] : command;
  return [program, given];
};

/**
 * Creates the environment of a run. Closing the environment ends all its processes.
 * @param databaseUrl default: a temporary SQLite database
 */
export function createLabEnvironment(databaseUrl: string | undefined) {
  const folder = mkdtempSync(join(tmpdir(), 'parley bench '));
  const children = new Set<ChildProcess>();
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'production',
    PORT: '0',
    LOG_LEVEL: 'error',
    DATABASE_URL: databaseUrl ?? `file:${encodeURI(join(folder, 'parley.db'))}`,
    PARLEY_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    PARLEY_RATE_PER_MINUTE: '0',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: 'http:127.0.0.0/8',
  };

  function keep(child: ChildProcess): ChildProcess {
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  }

  async function end(child: ChildProcess): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const over = once(child, 'exit');
    child.kill('SIGTERM');
    await over;
  }

  return {
    /** A folder that is deleted at the end, with the embedded database, `parley.db`. */
    folder,
    env,
    /**
     * Starts a Node program, and waits until its output matches `says` (default: it contains a URL).
     * @returns also the first URL in the output, or an empty string
     * @throws Error if it exits first
     */
    async start(
      given: string[],
      {
        core = 0,
        says = urlShape,
        settings = {},
        cwd,
      }: { core?: Core; says?: RegExp; settings?: Record<string, string>; cwd?: string },
    ): Promise<{ child: ChildProcess; url: string }> {
      const [program, args] = pinned(core, [process.execPath, ...given]);
      const child = keep(
        spawn(program, args, { cwd, env: { ...env, ...settings }, stdio: ['ignore', 'pipe', 'inherit'] }),
      );
      let output = '';
      const begun = new Promise<void>((resolve, reject) => {
        child.stdout?.on('data', (data) => {
          output += data;
          if (says.test(output)) resolve();
        });
        child.once('exit', (code) => reject(new Error(`${given.join(' ')} exited with ${code}.`)));
      });
      await begun;
      return { child, url: urlShape.exec(output)?.[0] ?? '' };
    },
    end,
    /** Runs an operator command. @returns its JSON output */
    async parley(...given: string[]): Promise<Record<string, unknown>> {
      const { stdout } = await run(process.execPath, ['server/operator/main.ts', ...given, '--json'], {
        env,
      });
      return JSON.parse(stdout);
    },
    /** Starts a webhook receiver on core 1. Measured processes run on core 0 by default. */
    async receiver() {
      const child = keep(fork('scripts/lab/receiver-process.ts', { env }));
      if (canPin && child.pid) spawnSync('taskset', ['-cp', '1', String(child.pid)]);
      const [port] = (await once(child, 'message')) as [number];
      return {
        port,
        /** Returns the number of requests since the last call. */
        async seen(): Promise<number> {
          const response = once(child, 'message');
          child.send('tell');
          const [seen] = (await response) as [number];
          return seen;
        },
      };
    },
    /** Starts a closed-loop load generator on core 1. @returns a function that runs a load */
    async load(): Promise<(asked: ClosedLoopOptions) => Promise<ClosedLoopResult>> {
      const child = keep(fork('scripts/lab/closed-loop-load.ts', { env }));
      if (canPin && child.pid) spawnSync('taskset', ['-acp', '1', String(child.pid)]);
      await once(child, 'message');
      return async (asked) => {
        const response = once(child, 'message');
        child.send(asked);
        const [result] = (await response) as [ClosedLoopResult];
        return result;
      };
    },
    async close(): Promise<void> {
      await Promise.all([...children].map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export type LabEnvironment = ReturnType<typeof createLabEnvironment>;
