import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { dialDirectly } from '../../../server/delivery/dial.ts';
import type { AttemptRecord } from '../../../server/delivery/record-attempt.ts';
import { createSender, type SenderOptions } from '../../../server/delivery/sender.ts';
import { startWorker, type WorkerOptions } from '../../../server/delivery/worker.ts';
import type { EgressPolicy } from '../../../server/security/egress/policy.ts';
import type { Store } from '../../../server/storage/store.ts';
import { type ServiceOptions, startService } from '../../support/service.ts';
import { type ReceiverHandler, startReceiver } from './webhook-receiver.ts';

/** Allows HTTP and loopback addresses, because test receivers run on this machine. */
export const loopback: EgressPolicy = { allowedNetworks: ['http:127.0.0.0/8'] };

export interface DeliveryServiceOptions extends ServiceOptions {
  worker?: Partial<Omit<WorkerOptions, 'store'>>;
  sender?: Partial<SenderOptions>;
  /** Wraps the store for the worker. */
  wrapStore?: (store: Store) => Store;
}

/** Starts a service with a worker that sends to receivers on this machine. */
export async function startDeliveryService(options: DeliveryServiceOptions = {}) {
  const {
    worker: workerOptions,
    sender: senderOptions,
    wrapStore,
    addressPolicy: policy = loopback,
    ...serviceOptions
  } = options;
  const { onCleanup = onTestFinished } = options;
  const service = await startService({ ...serviceOptions, addressPolicy: policy });
  const { now, secrets } = service;
  const attempts: AttemptRecord[] = [];
  const errors: unknown[] = [];
  const sender = createSender({ policy, resolve: async () => [], now, ...senderOptions });
  onCleanup(() => sender.close());
  const worker = startWorker({
    store: wrapStore?.(service.serviceStore) ?? service.serviceStore,
    secrets,
    now,
    send: sender.send,
    limits: { perWorker: 1_280, perCompany: 128, perWebhook: 16 },
    leaseMs: 10_000,
    pollMs: 10,
    random: () => 0.5,
    onAttempt: (record) => attempts.push(record),
    onError: (error) => errors.push(error),
    ...workerOptions,
  });
  onCleanup(() => worker.stop());
  return { ...service, worker, attempts, workerFaults: errors };
}

/** Waits until a condition holds. */
export async function until(isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('It did not become so in time.');
    await wait(20);
  }
}

export interface WebhookOptions extends DeliveryServiceOptions {
  /** Replaces properties of the webhook. */
  webhook?: object;
  /** The first time of a clock that only the test moves. Default: the clock of the machine. */
  startAt?: number;
}

/** Starts a service with a worker, and a webhook of a token of its own that sends new contacts to a receiver. */
export async function startWebhook(
  respond?: ReceiverHandler,
  { webhook: properties, startAt, ...options }: WebhookOptions = {},
) {
  const receiver = await startReceiver(respond);
  const clock = { now: startAt ?? 0 };
  const service = await startDeliveryService({
    ...(startAt === undefined ? {} : { now: () => clock.now }),
    ...options,
  });
  const { company, store, attempts } = service;
  const { id: tokenId, api } = await company.token();
  const whole = { verb_id: 3, entity_id: 2, action_id: 1, url: receiver.url, ...properties };
  const created = await api.createWebhook(whole);
  if (created.status !== 201) throw new Error(`The webhook was not made: ${created.text}`);
  const webhook: number = created.body;
  return {
    ...{ ...service, receiver, clock, api, tokenId, webhook },
    secret: created.headers.get('webhook-secret') ?? '',
    /** Updates the webhook. */
    update: (change: object = {}) => api.updateWebhook(webhook, { ...whole, ...change }),
    row: () =>
      store.read((db) =>
        db.selectFrom('webhooks').selectAll().where('id', '=', webhook).executeTakeFirstOrThrow(),
      ),
    deliveries: () => company.events(webhook),
    async delivery(sequence = 1) {
      const found = (await company.events(webhook)).find((row) => row.sequence === sequence);
      if (!found) throw new Error(`There is no delivery ${sequence}.`);
      return found;
    },
    /** Creates a contact, and waits for the next attempt. */
    async attempt(): Promise<void> {
      const before = attempts.length;
      await company.contact();
      await until(() => attempts.length > before);
    },
  };
}

/** Starts a webhook whose worker has begun to send a delivery, and connects when the test allows it. */
export async function startWhileConnecting(verb_id = 3) {
  const connecting = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  let dials = 0;
  const service = await startWebhook(undefined, {
    webhook: { verb_id },
    sender: {
      async dial(...given) {
        dials += 1;
        await connecting.promise;
        const socket = await dialDirectly(...given);
        sockets.push(socket);
        return socket;
      },
    },
  });
  const contact = await service.company.contact({ first_name: 'Zyxw' });
  await until(() => dials === 1);
  return {
    ...{ ...service, contact },
    /** Lets the worker connect, and waits until it has closed the connection or sent the request. */
    async connect() {
      connecting.resolve();
      await until(() => service.receiver.calls.length > 0 || sockets[0]?.destroyed === true);
    },
  };
}
