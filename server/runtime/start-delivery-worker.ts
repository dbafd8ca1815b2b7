import { outcomeOf } from '../delivery/attempt.ts';
import { createSender, type Sender } from '../delivery/sender.ts';
import { startWorker, type Worker } from '../delivery/worker.ts';
import { resolveHost } from '../security/egress/resolver.ts';
import { leaseMs } from '../storage/queue-types.ts';
import { StoreUnavailable } from '../storage/store.ts';
import { logError, type RuntimeDependencies } from './bootstrap.ts';
import type { Config } from './config/config.ts';
import type { RequestMetrics } from './observability/metrics.ts';
import { createLineSampler, withWeight } from './observability/sample-lines.ts';

/** The share of a worker's requests in flight that one company may have, and that of one webhook. */
const companyShare = 1 / 10;
const webhookShare = 1 / 80;

/** Interval in which due deliveries are looked for, in milliseconds. An event waits half as long on average. */
const pollMs = 100;

/** Creates a sender of webhook requests with the configured egress policy and proxy. */
export const createConfiguredSender = (config: Config, now: () => number = Date.now): Sender =>
  createSender({
    policy: { allowedNetworks: config.webhookAllowedNetworks },
    resolve: resolveHost,
    proxy: config.webhookProxy ?? undefined,
    now,
  });

/** Starts a delivery worker in this process, with the configured limits. */
export function startDeliveryWorker(
  config: Config,
  { log, store, secrets, clock, metrics }: RuntimeDependencies & { metrics: RequestMetrics },
): Pick<Worker, 'stop'> {
  const { deliveryConcurrency: perWorker } = config;
  const sender = createConfiguredSender(config, clock.now);
  const sampleDelivered = createLineSampler();
  const worker = startWorker({
    store,
    secrets,
    now: clock.now,
    send: sender.send,
    limits: {
      perWorker,
      perCompany: Math.ceil(perWorker * companyShare),
      perWebhook: Math.ceil(perWorker * webhookShare),
    },
    leaseMs,
    pollMs,
    onAttempt: ({ companyId, webhookId, sequence, type, attempt, state, disabled, result, trace }) => {
      const outcome = outcomeOf(result);
      metrics.countAttempt({
        outcome,
        exhausted: state === 'exhausted',
        disabled: Boolean(disabled),
      });
      const record = { company: companyId, webhook: webhookId, sequence, type, attempt, outcome, state };
      const weight = outcome === '2xx' ? sampleDelivered() : 1;
      const line = { ...record, status: result.status, durationMs: result.ms, trace };
      if (weight !== undefined) log.info(withWeight(line, weight), 'attempt');
      if (disabled) log.warn({ company: companyId, webhook: webhookId, why: disabled }, 'webhook disabled');
    },
    onError: (error) => {
      if (!(error instanceof StoreUnavailable)) metrics.countError();
      logError(log, error, { worker: true });
    },
  });
  metrics.noteWorker(true);
  return {
    async stop() {
      await worker.stop();
      metrics.noteWorker(false);
      await sender.close();
    },
  };
}
