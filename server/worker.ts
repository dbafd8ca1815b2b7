import { Command } from 'commander';
import about from '../package.json' with { type: 'json' };
import { type Config, ConfigError, readConfig } from './config/config.ts';
import { configHelp, workerSettings } from './config/config-help.ts';
import { exitWithUsageCode, ignoreBrokenPipe, onNpmExit } from './lib/cli.ts';
import { serverUrl } from './lib/server-url.ts';
import { startMetricsServer } from './observability/metrics-server.ts';
import { openDependencies } from './runtime/bootstrap.ts';
import { startDeliveryWorker } from './runtime/start-delivery-worker.ts';

ignoreBrokenPipe();

exitWithUsageCode(new Command('npm run worker --'))
  .description('Send webhooks. Any number of workers and services can share a database.')
  .version(about.version)
  .addHelpText(
    'after',
    `\nConfiguration, from the environment:\n${configHelp(workerSettings)}\n\nExample:\n  npm run worker`,
  )
  .parse();

try {
  await start(readConfig(process.env));
} catch (error) {
  process.stderr.write(`✘ The worker cannot start. ${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}

async function start(config: Config): Promise<void> {
  const equipment = await openDependencies(config);
  const { log, store, clock, telemetry } = equipment;
  let stopping = false;
  const metrics = await startMetricsServer(store, config, {
    isReady: () => !stopping,
    now: clock.now,
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const deliveries = startDeliveryWorker(config, { ...equipment, metrics });
  const stopFor = async (reason: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ reason }, 'stopping');
    await deliveries.stop();
    metrics.server?.close();
    await telemetry.stop();
    clock.stop();
    await store.close();
    log.info('stopped');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stopFor(signal));
  onNpmExit(() => void stopFor('npm exited'));
  process.stdout.write('The worker sends webhooks.\n');
  if (metrics.server) log.info({ address: `${serverUrl(metrics.server, config.host)}/metrics` }, 'metrics');
  log.info('started');
}
