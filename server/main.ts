import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from 'commander';
import document from '../generated/openapi.json' with { type: 'json' };
import { createApp } from './app.ts';
import { middleware } from './http/middleware.ts';
import { createHttpServer } from './http/server.ts';
import { stopServer } from './http/stop-server.ts';
import { exitWithUsageCode, ignoreBrokenPipe } from './lib/cli.ts';
import { errorMessage } from './lib/error-message.ts';
import { listen } from './lib/listen.ts';
import { serverUrl } from './lib/server-url.ts';
import { currentTraceparent, traceIdOf } from './lib/trace-context.ts';
import { announceStart } from './runtime/announce-start.ts';
import { logError } from './runtime/bootstrap.ts';
import { startCleanupJobs } from './runtime/cleanup-jobs.ts';
import { type Config, ConfigError, readConfig } from './runtime/config/config.ts';
import { configHelp, variableNames } from './runtime/config/config-help.ts';
import { createDemoCompany } from './runtime/demo/seed-company.ts';
import { countPerSecond, createLineSampler, withWeight } from './runtime/observability/sample-lines.ts';
import { startDeliveryWorker } from './runtime/start-delivery-worker.ts';
import { type ServiceProcess, startProcess } from './runtime/start-process.ts';
import { createAuthLimits } from './security/auth/auth-limits.ts';
import { resolveHost } from './security/egress/resolver.ts';
import type { Secrets } from './security/secrets/encryption.ts';
import { hasHadCompanies } from './storage/queries/companies.ts';
import { LockTimeout, type Store, StoreUnavailable } from './storage/store.ts';
import {
  createSecondValidator,
  type Validators,
  validators,
} from './validation/second-validator/second-validator.ts';

/** The output of `npm run docs:build`. */
const portal = join(import.meta.dirname, '../dist/docs');

ignoreBrokenPipe();

const program = exitWithUsageCode(new Command('npm start --'), 'npm start', variableNames())
  .description('Start the Parley service.')
  .version(document.info.version)
  .option('--empty', 'do not create the demo company in an empty database')
  .addOption(
    new Option(
      '--validator <which>',
      'validate with the compiled contract, express-openapi-validator, or both (default: both; ours in production)',
    ).choices(validators),
  )
  .addHelpText(
    'after',
    `\nConfiguration, from the environment:\n${configHelp()}\n\nExamples:\n  npm start\n  PORT=9000 npm start -- --empty`,
  )
  .parse();

try {
  const config = readConfig(process.env);
  await startProcess(config, (service, parts) => start(config, program.opts<Options>(), service, parts));
} catch (error) {
  process.stderr.write(`✘ Parley cannot start. ${errorMessage(error)}\n`);
  process.exitCode = error instanceof ConfigError ? 2 : 1;
}

interface Options {
  empty?: boolean;
  validator?: Validators;
}

async function start(
  config: Config,
  { empty = false, validator = config.production ? 'ours' : 'both' }: Options,
  { log, store, secrets, clock, metrics, metricsAddress, isStopping }: ServiceProcess,
  parts: AsyncDisposableStack,
): Promise<void> {
  const second =
    validator === 'ours'
      ? undefined
      : createSecondValidator({
          validators: validator,
          document,
          onDifference: (difference) => log.warn(difference, 'validators differ'),
        });
  // Many refused requests must not displace the lines of others.
  const samplers = { done: createLineSampler(), refused: createLineSampler() };
  const countShed = countPerSecond((count) => log.warn({ count }, 'requests shed'));
  const app = await createApp({
    store,
    now: clock.now,
    document,
    limits: createAuthLimits(config.ratePerMinute, clock.now),
    allowedOrigins: config.allowedOrigins,
    middleware,
    trustedProxies: config.trustedProxies,
    portal: existsSync(portal) ? portal : undefined,
    isReady: () => !isStopping(),
    isStopping,
    secrets,
    addressPolicy: { allowedNetworks: config.webhookAllowedNetworks },
    resolve: resolveHost,
    validation: second?.validation,
    onResponse: ({ caller, ...record }) => {
      metrics.countRequest(record);
      const weight = record.status < 500 ? samplers[record.status < 400 ? 'done' : 'refused']() : 1;
      if (weight === undefined) return;
      const line = {
        ...record,
        company: caller?.companyId,
        token: caller?.tokenId,
        trace: traceIdOf(currentTraceparent()),
      };
      log.info(withWeight(line, weight), 'request completed');
    },
    onPage: (record) => {
      metrics.countRequest({ operation: undefined, ...record });
      log.info(record, 'request completed');
    },
    // Probes arrive every few seconds, so successful ones are logged at a lower level. Metrics and alerts do not
    // count probes.
    onProbe: (record) => log[record.status === 200 ? 'debug' : 'info'](record, 'request completed'),
    onShed() {
      metrics.countRequest({ operation: undefined, status: 503, durationMs: 0 });
      countShed();
    },
    onError: ({ error, ...where }) => {
      if (!(error instanceof StoreUnavailable)) metrics.countError();
      logError(log, error, where);
    },
  });
  const server = createHttpServer(app, {
    keepAliveMs: config.keepAliveSeconds * 1_000,
    onRejected: (record) => log.info(record, 'request rejected'),
  });
  server.on(
    'drop',
    countPerSecond((count) => log.warn({ count }, 'connections dropped')),
  );
  // The backlog is long, because many clients connect at the same time after an outage. Linux allows at most 4,096.
  const { port, host } = config;
  await listen(
    server,
    { port, host, backlog: 4_096 },
    'PORT and HOST set where it listens: PORT=9000 npm start',
  );
  const address = serverUrl(server, host);
  const deliveries = config.embeddedWorker
    ? startDeliveryWorker(config, { log, store, secrets, clock, metrics })
    : undefined;
  parts.defer(async () => {
    await Promise.all([
      stopServer(server, isStopping() ? config.drainSeconds * 1_000 : 0),
      deliveries?.stop(),
    ]);
  });

  // The token is printed only once, so the demo company is created last, when nothing else can fail.
  const token = empty || config.production || isStopping() ? undefined : await createDemoData(store, secrets);
  announceStart(
    { address, version: document.info.version, metricsAddress, token, hasPortal: existsSync(portal) },
    log,
  );
  startCleanupJobs(config, { store, log, now: clock.now, isStopping });
  // Loaded last, because it takes longer than the rest of the start. Requests that arrive earlier wait for it.
  second?.load().catch((error: unknown) => logError(log, error, { validator }));
}

/** Creates the demo company if the database is empty. @returns its token, or undefined */
async function createDemoData(store: Store, secrets: Secrets): Promise<string | undefined> {
  try {
    // Reads first, because the database may be a read-only standby.
    if (await store.read(hasHadCompanies)) return undefined;
    return await store.write((db) => createDemoCompany(db, secrets, Date.now()));
  } catch (error) {
    throw error instanceof LockTimeout
      ? new Error('Another program is migrating or filling the database. Try again later.', {
          cause: error,
        })
      : error;
  }
}
