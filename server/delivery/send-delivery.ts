import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Secrets } from '../security/secrets/encryption.ts';
import { findClaimed } from '../storage/queries/delivery-queue.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import { type ClaimedWebhook, formatDeliveryKey } from '../storage/queue-types.ts';
import type { Store } from '../storage/store.ts';
import type { Attempt } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { createSigningKeys } from './signing-keys.ts';
import { buildWebhookRequest, messageId, type WebhookRequest } from './webhook-request.ts';

export interface DeliverySenderOptions {
  secrets: Secrets;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Sends a request. It never throws, and returns immediately if the signal aborts. */
  send: (request: WebhookRequest, signal: AbortSignal) => Promise<Attempt>;
  signal: AbortSignal;
  isStillClaimed: ClaimCheck;
}

/**
 * Creates a function that signs and sends a claimed delivery. It returns undefined, without sending, if the
 * delivery must no longer be sent, or if the database cannot be read.
 */
export function createDeliverySender({ secrets, now, send, signal, isStillClaimed }: DeliverySenderOptions) {
  const signingKeys = createSigningKeys(secrets);

  return async function sendDelivery(claimed: Claimed): Promise<Attempt | undefined> {
    const { delivery, webhook } = claimed;
    const at = now();
    try {
      const id = messageId(delivery.webhookId, delivery.sequence);
      const keys = signingKeys(webhook, at);
      const { payload, traceparent } = delivery;
      const request = buildWebhookRequest({ id, payload, webhook, keys, traceparent }, at);
      const attempt = await send({ ...request, mayBeSent: () => isStillClaimed(claimed) }, signal);
      return attempt.problem === 'withdrawn' ? undefined : attempt;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { at, ms: 0, problem: 'secret', message };
    }
  };
}

/** Returns whether a worker may still send a delivery that it has claimed. It never throws. */
export type ClaimCheck = (claimed: Claimed) => Promise<boolean>;

/**
 * Creates the check that runs immediately before the first byte of a request is written. A delivery that was erased or
 * canceled, or whose webhook was changed, disabled or deleted since the claim, must not be sent (D49). While a query
 * runs, other checks wait and then share the next one.
 * @param worker the name of the worker
 * @param maxCheckMs a query that takes longer counts as failed, because its result may be old: the process may have been
 * suspended. At most half of the lease, which is the shortest rest of a lease that is renewed in time
 */
export function createClaimCheck(store: Store, worker: string, maxCheckMs: number): ClaimCheck {
  let waiting: { claimed: Claimed; resolve: (isClaimed: boolean) => void }[] = [];
  let isRunning = false;

  async function runChecks(): Promise<void> {
    // Collects the checks that begin in the same turn of the event loop: a query takes longer than a row of its result.
    await nextTurn();
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const startedAt = performance.now();
      const keys = batch.map(({ claimed }) => claimed.delivery);
      const rows = await store.read((db) => findClaimed(db, worker, keys)).catch(() => []);
      const isLate = performance.now() - startedAt > maxCheckMs;
      const found = new Map(rows.map((row) => [keyOf(row), row]));
      for (const { claimed, resolve } of batch) {
        const webhook = found.get(formatDeliveryKey(claimed.delivery));
        resolve(!isLate && webhook !== undefined && isUnchanged(webhook, claimed.webhook));
      }
    }
    isRunning = false;
  }

  return (claimed) =>
    new Promise((resolve) => {
      waiting.push({ claimed, resolve });
      if (isRunning) return;
      isRunning = true;
      void runChecks();
    });
}

const keyOf = ({ id, sequence }: ClaimedWebhook): string => formatDeliveryKey({ webhookId: id, sequence });

// Two changes can have the same timestamp, so the properties that a request depends on are compared as well.
const compared = ['updated_at', 'url', 'verb_id', 'entity_id', 'action_id'] as const;

const isUnchanged = (now: ClaimedWebhook, claimed: WebhookRow): boolean =>
  compared.every((name) => now[name] === claimed[name]) && Buffer.compare(now.secret, claimed.secret) === 0;
