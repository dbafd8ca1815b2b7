import { endLeases, findDue, lease, listEnabled, listWaiting } from '../storage/claims.ts';
import type { DeliveryKey, DueDelivery, WebhookKey } from '../storage/queue.ts';
import type { Database } from '../storage/store.ts';
import type { WebhookRow } from '../storage/webhooks.ts';
import type { Rotation } from './rotation.ts';
import { sharesOf } from './shares.ts';

/** A delivery that this worker has in hand. */
export interface Claimed {
  delivery: DueDelivery;
  webhook: WebhookRow;
  /** What calls are counted by: scheme, host and port. */
  address: string;
}

export interface Claims {
  claimed: Claimed[];
  /** Whether no webhook was left out that something may be due for. */
  complete: boolean;
  /** Webhooks that are switched off or deleted, with something that still waits for them. */
  strays: WebhookKey[];
  /** For the rotation. */
  served: WebhookKey[];
  seen: WebhookKey | undefined;
}

export interface ClaimOptions {
  worker: string;
  now: number;
  leaseMs: number;
  rotation: Rotation;
  /** How many deliveries may be taken at the most. */
  most: number;
  /** How many of them for an address. */
  room: (address: string) => number;
  /** What this worker has in hand already. */
  isInHand: (key: DeliveryKey) => boolean;
}

// One look into an index for each.
const mostWebhooks = 256;

/** Takes what is due and has room, fairly, for a worker. Nothing but the database is changed. */
export async function claim(db: Database, options: ClaimOptions): Promise<Claims> {
  const { worker, now, leaseMs, rotation, most, room, isInHand } = options;
  await endLeases(db, now);
  const { visited, complete } = await lookRound(db, rotation.begin());
  const due = visited.filter(({ dueAt }) => dueAt <= now);
  const webhooks = new Map((await listEnabled(db, due)).map((row) => [row.id, row]));
  const candidates = due.flatMap((key) => {
    const webhook = webhooks.get(key.webhookId);
    return webhook ? [{ ...key, address: addressOf(webhook.url) }] : [];
  });
  const shares = sharesOf(rotation.inTurn(candidates), most, room);
  const found = shares.length > 0 ? await findDue(db, shares, now) : [];
  const deliveries = found.filter((delivery) => !isInHand(delivery));
  if (deliveries.length > 0) await lease(db, deliveries, { worker, until: now + leaseMs });
  return {
    claimed: deliveries.flatMap((delivery) => {
      const webhook = webhooks.get(delivery.webhookId);
      return webhook ? [{ delivery, webhook, address: addressOf(webhook.url) }] : [];
    }),
    complete,
    strays: due.filter(({ webhookId }) => !webhooks.has(webhookId)),
    served: shares,
    seen: complete ? undefined : visited.at(-1),
  };
}

/** From one webhook on, over the last one to the first, once round at the most. */
async function lookRound(db: Database, begin: WebhookKey) {
  const behind = await listWaiting(db, begin, mostWebhooks);
  if (behind.length === mostWebhooks) return { visited: behind, complete: false };
  if (begin.companyId === 0) return { visited: behind, complete: true };
  const fromTheFirst = await listWaiting(db, { companyId: 0, webhookId: 0 }, mostWebhooks - behind.length);
  const before = fromTheFirst.filter(({ companyId }) => companyId <= begin.companyId);
  return {
    visited: [...behind, ...before],
    complete: before.length < fromTheFirst.length || fromTheFirst.length < mostWebhooks - behind.length,
  };
}

/** Where a call goes; whoever is called by two names is two addresses. */
export const addressOf = (url: string): string => new URL(url).origin;
