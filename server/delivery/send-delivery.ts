import type { Tracer } from '@opentelemetry/api';
import type { Secrets } from '../secrets/encryption.ts';
import type { Store } from '../storage/store.ts';
import { noTelemetry } from '../telemetry/open-telemetry.ts';
import type { Attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createStalenessCheck } from './staleness-check.ts';
import { createDeliveryTracer } from './trace-delivery.ts';
import { buildWebhookRequest, messageId, type WebhookRequest } from './webhook-request.ts';

export interface DeliverySenderOptions {
  store: Store;
  secrets: Secrets;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Sends a request. It never throws, and returns immediately if the signal aborts. */
  send: (request: WebhookRequest, signal: AbortSignal) => Promise<Attempt>;
  signal: AbortSignal;
  /** Reports a span for each attempt (default: only continues the trace of the event). */
  tracer?: Tracer | undefined;
}

/**
 * Creates a function that signs and sends a claimed delivery. It returns undefined, without sending, if the webhook has
 * changed since the claim or cannot be read.
 */
export function createDeliverySender({
  store,
  secrets,
  now,
  send,
  signal,
  tracer = noTelemetry.tracer,
}: DeliverySenderOptions) {
  const signingKeys = createSigningKeys(secrets);
  const isUnchanged = createStalenessCheck(store);
  const traced = createDeliveryTracer(tracer);

  return async function sendDelivery(claimed: Claimed): Promise<Attempt | undefined> {
    const { delivery, webhook } = claimed;
    if (!(await isUnchanged(claimed).catch(() => false))) return undefined;
    const at = now();
    return traced(claimed, async (traceHeaders) => {
      try {
        const id = messageId(delivery.webhookId, delivery.sequence);
        const keys = signingKeys(webhook, at);
        const { payload } = delivery;
        return await send(buildWebhookRequest({ id, payload, webhook, keys, traceHeaders }, at), signal);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { at, ms: 0, problem: 'secret', message };
      }
    });
  };
}
