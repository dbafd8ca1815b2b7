import { engineOf } from '../storage/engine.ts';
import {
  expireLeases,
  leaseDeliveries,
  listEnabled,
  listWaiting,
} from '../storage/queries/delivery-queue.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import type { DueDelivery, WebhookKey } from '../storage/queue-types.ts';
import type { Database } from '../storage/store.ts';
import { allocateFairly, type RoundRobin } from './fair-shares.ts';

/** A delivery that this worker has claimed. */
export interface Claimed {
  delivery: DueDelivery;
  webhook: WebhookRow;
}

export interface Claims {
  claimed: Claimed[];
  /** Whether another claim could find more deliveries immediately. */
  again: boolean;
  /**
   * Webhooks with due deliveries that must not be sent, because the webhook was disabled or deleted, and those whose
   * deliveries do not follow their last change yet.
   */
  orphans: WebhookKey[];
  /** The webhooks whose deliveries were claimed, for the round robin. */
  served: WebhookKey[];
  lastVisited: WebhookKey | undefined;
}

export interface ClaimOptions {
  worker: string;
  /** The time of the claim, in milliseconds since 1970. */
  now: number;
  /** The end of the lease, in milliseconds since 1970. */
  until: number;
  roundRobin: RoundRobin;
  /** Maximum number of deliveries. */
  maxDeliveries: number;
  /** Returns how many deliveries of a webhook may be claimed. */
  room: (webhookId: number) => number;
  /** Returns how many deliveries of a company the worker has. */
  claimedOf: (companyId: number) => number;
}

// Limits the duration of a claim: each visited webhook needs one index lookup.
const maxVisitedWebhooks = 256;

/**
 * Claims due deliveries for a worker, distributed fairly over companies and webhooks. It changes nothing outside the
 * database, so its transaction can be rolled back.
 */
export async function claim(db: Database, options: ClaimOptions): Promise<Claims> {
  const { worker, now, until, roundRobin, maxDeliveries, room, claimedOf } = options;
  await expireLeases(db, now);
  const { visited, isRound } = await visitWebhooks(db, roundRobin.begin());
  const due = visited.filter(({ dueAt }) => dueAt <= now);
  const webhooks = new Map((await listEnabled(db, due)).map((row) => [row.id, row]));
  const candidates = due
    .filter(({ webhookId }) => webhooks.has(webhookId))
    .map((key) => ({ ...key, room: room(key.webhookId) }));
  const shares = allocateFairly(roundRobin.inTurn(candidates), maxDeliveries, claimedOf);
  const deliveries = shares.length > 0 ? await engineOf(db).findDue(db, shares, now) : [];
  if (deliveries.length > 0) await leaseDeliveries(db, deliveries, { worker, until });
  return {
    claimed: deliveries.flatMap((delivery) => {
      const webhook = webhooks.get(delivery.webhookId);
      return webhook ? [{ delivery, webhook }] : [];
    }),
    // A complete round that claimed fewer than `maxDeliveries` is not repeated immediately. Otherwise due deliveries
    // that cannot be claimed yet would put constant load on the database.
    again: deliveries.length >= maxDeliveries || !isRound,
    orphans: due.filter(({ webhookId }) => !webhooks.has(webhookId)),
    served: shares,
    lastVisited: visited.at(-1),
  };
}

/**
 * Visits webhooks with waiting deliveries, each at most once. It starts after `begin` and wraps around from the last
 * webhook to the first.
 */
async function visitWebhooks(db: Database, begin: WebhookKey) {
  const behind = await listWaiting(db, begin, maxVisitedWebhooks);
  if (behind.length === maxVisitedWebhooks) return { visited: behind, isRound: false };
  if (begin.companyId === 0) return { visited: behind, isRound: true };
  const fromTheFirst = await listWaiting(
    db,
    { companyId: 0, webhookId: 0 },
    maxVisitedWebhooks - behind.length,
  );
  const before = fromTheFirst.filter(
    ({ companyId, webhookId }) =>
      companyId < begin.companyId || (companyId === begin.companyId && webhookId <= begin.webhookId),
  );
  // The round counts as complete even if the webhooks up to `begin` do not all fit: earlier claims visited them.
  // Otherwise a round over more than `maxVisitedWebhooks` webhooks would never end.
  return { visited: [...behind, ...before], isRound: true };
}
