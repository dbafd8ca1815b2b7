import { onNpmExit } from '../lib/cli.ts';
import { openDependencies, type RuntimeDependencies } from './bootstrap.ts';
import type { Config } from './config/config.ts';
import type { RequestMetrics } from './observability/metrics.ts';
import { startMetricsServer } from './observability/metrics-server.ts';

/** The dependencies that the parts of a process share. */
export interface ServiceProcess extends RuntimeDependencies {
  metrics: RequestMetrics;
  /** The address of the metrics, if a port is set. */
  metricsAddress: string | undefined;
  /** Returns true once the process has to stop. */
  isStopping: () => boolean;
}

/**
 * Starts a process of the service: the database, the clock, traces and metrics, and then the parts that differ. Parts that
 * have started stop in reverse order, if a later one cannot start, or after SIGTERM, SIGINT or the end of npm.
 * @param startParts starts the other parts, and adds what stops each of them to `parts`
 * @throws Error if a part cannot start
 */
export async function startProcess(
  config: Config,
  startParts: (process: ServiceProcess, parts: AsyncDisposableStack) => Promise<void>,
): Promise<void> {
  await using parts = new AsyncDisposableStack();
  const dependencies = await openDependencies(config, parts);
  const { log, store, clock } = dependencies;
  let stopping = false;
  const isStopping = () => stopping;
  const { server, address, ...metrics } = await startMetricsServer(store, config, {
    isReady: () => !stopping,
    now: clock.now,
  });
  parts.defer(() => void server?.close());
  const { promise: started, resolve: noteStarted } = Promise.withResolvers<AsyncDisposableStack>();
  const stopFor = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    await (await started).disposeAsync();
    log.info('stopped');
    // Nothing has to be waited for any longer, such as an exporter of traces that repeats a failed export.
    process.exit();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stopFor(signal));
  onNpmExit(() => void stopFor('npm exited'));
  await startParts({ ...dependencies, metrics, metricsAddress: address, isStopping }, parts);
  noteStarted(parts.move());
}
