import type { Tracer } from '@opentelemetry/api';
import { noTelemetry } from '../runtime/telemetry/open-telemetry.ts';
import type { Secrets } from '../security/secrets/encryption.ts';
import type { Attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import type { ClaimCheck } from './claim-check.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createDeliveryTracer } from './trace-delivery.ts';
import { buildWebhookRequest, messageId, type WebhookRequest } from './webhook-request.ts';

export interface DeliverySenderOptions {
  secrets: Secrets;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Sends a request. It never throws, and returns immediately if the signal aborts. */
  send: (request: WebhookRequest, signal: AbortSignal) => Promise<Attempt>;
  signal: AbortSignal;
  isStillClaimed: ClaimCheck;
  /** Reports a span for each attempt (default: only continues the trace of the event). */
  tracer?: Tracer | undefined;
}

/**
 * Creates a function that signs and sends a claimed delivery. It returns undefined, without sending, if the
 * delivery must no longer be sent, or if the database cannot be read.
 */
export function createDeliverySender({
  secrets,
  now,
  send,
  signal,
  isStillClaimed,
  tracer = noTelemetry.tracer,
}: DeliverySenderOptions) {
  const signingKeys = createSigningKeys(secrets);
  const traced = createDeliveryTracer(tracer);

  return async function sendDelivery(claimed: Claimed): Promise<Attempt | undefined> {
    const { delivery, webhook } = claimed;
    const at = now();
    return traced(claimed, async (traceHeaders) => {
      try {
        const id = messageId(delivery.webhookId, delivery.sequence);
        const keys = signingKeys(webhook, at);
        const { payload } = delivery;
        const request = buildWebhookRequest({ id, payload, webhook, keys, traceHeaders }, at);
        const attempt = await send({ ...request, mayBeSent: () => isStillClaimed(claimed) }, signal);
        return attempt.problem === 'withdrawn' ? undefined : attempt;
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        return { at, ms: 0, problem: 'secret', message };
      }
    });
  };
}
