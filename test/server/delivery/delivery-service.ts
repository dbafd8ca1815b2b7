import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { AttemptRecord } from '../../../server/delivery/record-attempt.ts';
import { createSender, type SenderOptions } from '../../../server/delivery/sender.ts';
import { startWorker, type WorkerOptions } from '../../../server/delivery/worker.ts';
import type { EgressPolicy } from '../../../server/egress/policy.ts';
import { createSecrets } from '../../../server/secrets/encryption.ts';
import type { Store } from '../../../server/storage/store.ts';
import { type ServiceOptions, startService } from '../../support/service.ts';

/** Allows HTTP and loopback addresses, because test receivers run on this machine. */
export const loopback: EgressPolicy = { allowHttp: true, allowedNetworks: ['127.0.0.0/8'] };

export interface DeliveryServiceOptions extends ServiceOptions {
  worker?: Partial<Omit<WorkerOptions, 'store'>>;
  sender?: Partial<SenderOptions>;
  /** Wraps the store for the worker. */
  wrapStore?: (store: Store) => Store;
  /** Called before each webhook request. */
  onCall?: () => void;
}

/** Starts a service with a worker that sends to receivers on this machine. */
export async function startDeliveryService(options: DeliveryServiceOptions = {}) {
  const {
    worker: workerOptions,
    sender: senderOptions,
    wrapStore,
    onCall = () => {},
    ...serviceOptions
  } = options;
  const { onCleanup = onTestFinished } = options;
  const key = randomBytes(32);
  const secrets = createSecrets(key);
  const policy = serviceOptions.addressPolicy ?? loopback;
  const service = await startService({ ...serviceOptions, secrets, addressPolicy: policy });
  // The same settings as environment variables, for CLI commands.
  const variables = {
    PARLEY_SECRET_KEY: key.toString('base64'),
    PARLEY_WEBHOOK_ALLOW_HTTP: 'yes',
    PARLEY_WEBHOOK_ALLOWED_NETWORKS: loopback.allowedNetworks.join(','),
  };
  const attempts: AttemptRecord[] = [];
  const errors: unknown[] = [];
  const { now } = service;
  const sender = createSender({ policy, resolve: async () => [], now, ...senderOptions });
  onCleanup(() => sender.close());
  const worker = startWorker({
    store: wrapStore?.(service.serviceStore) ?? service.serviceStore,
    secrets,
    now,
    send: (call, signal) => {
      onCall();
      return sender.send(call, signal);
    },
    limits: { fast: 256, slow: 1_024, maxPerCompany: 128, maxPerWebhookAndOrigin: 16, slowAfterMs: 250 },
    leaseMs: 10_000,
    pollMs: 10,
    random: () => 0.5,
    onAttempt: (record) => attempts.push(record),
    onError: (error) => errors.push(error),
    ...workerOptions,
  });
  onCleanup(() => worker.stop());
  return { ...service, worker, attempts, workerFaults: errors, secrets, variables };
}

/** Waits until a condition holds. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('It did not become so in time.');
    await wait(5);
  }
}
