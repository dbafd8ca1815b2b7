import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { dialDirectly } from '../../../server/delivery/dial.ts';
import type { AttemptRecord } from '../../../server/delivery/record-attempt.ts';
import { createSender, type SenderOptions } from '../../../server/delivery/sender.ts';
import { startWorker, type WorkerOptions } from '../../../server/delivery/worker.ts';
import type { EgressPolicy } from '../../../server/security/egress/policy.ts';
import { createSecrets } from '../../../server/security/secrets/encryption.ts';
import type { Store } from '../../../server/storage/store.ts';
import { type ServiceOptions, startService } from '../../support/service.ts';
import { createCli } from '../operator/cli.ts';
import { startReceiver } from './webhook-receiver.ts';

/** Allows HTTP and loopback addresses, because test receivers run on this machine. */
export const loopback: EgressPolicy = { allowedNetworks: ['http:127.0.0.0/8'] };

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
    limits: { perWorker: 1_280, perCompany: 128, perWebhook: 16 },
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

/** Starts a worker that has begun to send a delivery, and connects when the test allows it. */
export async function startWhileConnecting(verb_id = 3) {
  const receiver = await startReceiver();
  const connecting = Promise.withResolvers<void>();
  const sockets: Socket[] = [];
  let dials = 0;
  const service = await startDeliveryService({
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
  const { company, database, variables } = service;
  const { id: tokenId, api } = await company.token();
  const created = await api.createWebhook({ verb_id, entity_id: 2, action_id: 1, url: receiver.url });
  const webhook: number = created.body;
  const contact = await company.contact({ first_name: 'Zyxw' });
  await until(() => dials === 1);
  const parley = createCli(database.url, variables);
  return {
    ...{ ...service, api, receiver, webhook, tokenId, contact },
    /** Runs a command that must succeed. */
    async run(...given: (string | number)[]) {
      const [subject = '', verb = '', ...options] = given.map(String);
      expect(await parley(subject, verb, '--company', String(company.id), ...options)).toMatchObject({
        code: 0,
      });
    },
    /** Lets the worker connect, and waits until it has closed the connection or sent the request. */
    async connect() {
      connecting.resolve();
      await until(() => receiver.calls.length > 0 || sockets[0]?.destroyed === true);
    },
  };
}
