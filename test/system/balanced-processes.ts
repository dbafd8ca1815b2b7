import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { onTestFinished } from 'vitest';
import { startTcpServer } from '../support/start-tcp-server.ts';
import { spawnProcess, withoutSecondValidator } from './service-process.ts';

/** A running API process or worker. */
export interface Instance {
  child: ChildProcess;
  /** The address of the API; empty for a worker. */
  base: string;
  /** The log of the process so far. */
  log: () => string;
  /** The result of the balancer's last health check. */
  isHealthy: boolean;
  /** Sends SIGTERM, and waits until the process has stopped. @returns its exit code */
  stop(): Promise<number | null>;
}

/** Starts `server/main.ts` or `server/worker.ts` of the project, or of a copy in `cwd`. */
export async function startInstance(
  program: 'main' | 'worker',
  { settings, cwd }: { settings: Record<string, string>; cwd?: string | undefined },
): Promise<Instance> {
  const given = program === 'main' ? ['--empty', ...withoutSecondValidator] : [];
  const { child, heard, started, stop } = spawnProcess(settings, { program, given, cwd });
  return { child, base: await started(), log: () => heard.err, isHealthy: true, stop };
}

/** Whether a request succeeds with a status of 200 to 299. */
export const isOk = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Starts a TCP balancer: connections go in turn to the instances whose last health check succeeded.
 * @param instances may change while it runs
 * @param checkMs the time between two health checks
 */
export async function startBalancer(instances: readonly Instance[], checkMs: number): Promise<string> {
  let turn = 0;
  const port = await startTcpServer((client) => {
    const healthy = instances.filter(({ isHealthy }) => isHealthy);
    turn += 1;
    const instance = new URL(healthy[turn % healthy.length]?.base ?? 'http://127.0.0.1:1');
    const upstream = connect(Number(instance.port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
  });
  const timer = setInterval(() => {
    for (const instance of instances)
      void isOk(`${instance.base}/readyz`).then((ok) => {
        instance.isHealthy = ok;
      });
  }, checkMs);
  onTestFinished(() => clearInterval(timer));
  return `http://127.0.0.1:${port}`;
}
