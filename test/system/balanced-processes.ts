import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { expect, onTestFinished } from 'vitest';

/** A running API process or worker. */
export interface Instance {
  child: ChildProcess;
  /** The address of the API; empty for a worker. */
  base: string;
  /** The log of the process so far. */
  log: () => string;
  /** The result of the balancer's last health check. */
  isHealthy: boolean;
  /** Sends SIGTERM, and waits until the process has stopped. */
  stop(): Promise<void>;
}

/** Starts `server/main.ts` or `server/worker.ts` of the project, or of a copy in `cwd`. */
export async function startInstance(
  program: 'main' | 'worker',
  { settings, cwd }: { settings: Record<string, string>; cwd?: string | undefined },
): Promise<Instance> {
  // The load of the second validator would take the time in which these tests send requests. Copies may be older than it.
  const validator = cwd === undefined ? ['--validator', 'ours'] : [];
  const child = spawn(
    process.execPath,
    [`server/${program}.ts`, ...(program === 'main' ? ['--empty', ...validator] : [])],
    {
      cwd,
      env: { ...process.env, NODE_ENV: '', PORT: '0', ...settings },
    },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let log = '';
  child.stdout.on('data', (data) => (out += data));
  child.stderr.on('data', (data) => (log += data));
  await expect.poll(() => log).toContain('"started"');
  return {
    child,
    base: /http:\/\/[\d.]+:\d+/.exec(out)?.[0] ?? '',
    log: () => log,
    isHealthy: true,
    async stop() {
      child.kill('SIGTERM');
      await expect.poll(() => log).toContain('"stopped"');
    },
  };
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
  const server = createServer((client) => {
    const healthy = instances.filter(({ isHealthy }) => isHealthy);
    turn += 1;
    const { port } = new URL(healthy[turn % healthy.length]?.base ?? 'http://127.0.0.1:1');
    const upstream = connect(Number(port), '127.0.0.1');
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) socket.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => {
    for (const instance of instances)
      void isOk(`${instance.base}/readyz`).then((ok) => {
        instance.isHealthy = ok;
      });
  }, checkMs);
  onTestFinished(() => {
    clearInterval(timer);
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
