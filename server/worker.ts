import { Command } from 'commander';
import { contractVersion } from '../generated/operations.ts';
import { exitWithUsageCode, ignoreBrokenPipe } from './lib/cli.ts';
import { errorMessage } from './lib/error-message.ts';
import { ConfigError, readConfig } from './runtime/config/config.ts';
import { configHelp, variableNames, workerSettings } from './runtime/config/config-help.ts';
import { startDeliveryWorker } from './runtime/start-delivery-worker.ts';
import { startProcess } from './runtime/start-process.ts';

ignoreBrokenPipe();

exitWithUsageCode(new Command('npm run worker --'), 'npm run worker', variableNames(workerSettings))
  .description('Send webhooks. Any number of workers and services can share a database.')
  .version(contractVersion)
  .addHelpText(
    'after',
    `\nConfiguration, from the environment:\n${configHelp(workerSettings)}\n\nExample:\n  npm run worker`,
  )
  .parse();

try {
  const config = readConfig(process.env);
  await startProcess(config, async ({ log, metricsAddress, ...service }, parts) => {
    const deliveries = startDeliveryWorker(config, { log, ...service });
    parts.defer(deliveries.stop);
    process.stdout.write('The worker sends webhooks.\n');
    if (metricsAddress) log.info({ address: metricsAddress }, 'metrics');
    log.info('started');
  });
} catch (error) {
  process.stderr.write(`✘ The worker cannot start. ${errorMessage(error)}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}
