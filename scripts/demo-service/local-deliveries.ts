import { createSender } from '../../server/delivery/sender.ts';
import { startWorker, type Worker } from '../../server/delivery/worker.ts';
import type { Secrets } from '../../server/security/secrets/encryption.ts';
import type { Store } from '../../server/storage/store.ts';
import type { StatefulServiceOptions } from '../contract/config.ts';

/**
 * Starts a worker that sends the deliveries of all webhooks to one local address, so that a receiver can be developed
 * without a public URL.
 * @param target the URL that replaces the webhooks' own; their queries are kept, because they can contain the event
 */
export function startLocalDeliveries(
  store: Store,
  secrets: Secrets,
  target: string,
  { now, onError, onDelivery = () => {} }: Pick<StatefulServiceOptions, 'now' | 'onError' | 'onDelivery'>,
): Pick<Worker, 'stop'> {
  const policy = { allowedNetworks: ['http:127.0.0.0/8', 'http:::1/128'] };
  const resolve = async () => ['127.0.0.1'];
  const sender = createSender({ policy, resolve, proxy: undefined, now: Date.now });
  const worker = startWorker({
    store,
    secrets,
    now,
    send: (request, signal) => sender.send({ ...request, url: target + new URL(request.url).search }, signal),
    limits: { perWorker: 16, perCompany: 16, perWebhook: 4 },
    leaseMs: 60_000,
    pollMs: 200,
    onAttempt: ({ type, result: { status, message, problem } }) =>
      onDelivery({ type, result: String(status ?? message ?? problem) }),
    onError,
  });
  return {
    async stop() {
      await worker.stop();
      await sender.close();
    },
  };
}
