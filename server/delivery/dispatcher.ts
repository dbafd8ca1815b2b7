import { type DeliveryKey, formatDeliveryKey } from '../storage/queue-types.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import { type BulkheadLimits, createBulkhead, createCounts, type DeliveryTarget } from './bulkhead.ts';
import type { Claimed } from './claim.ts';

interface DispatcherOptions {
  limits: BulkheadLimits;
  /** Sends a delivery. Returns undefined if it must no longer be sent; the delivery is then released. */
  send: (claimed: Claimed) => Promise<Attempt | undefined>;
  /** Records the result of a request. The delivery stays claimed until `forget` is called. */
  record: (claimed: Claimed, result: Attempt) => Promise<void>;
  /**
   * Releases deliveries without sending them, because their webhook fails or has changed, their company has too many slow
   * requests, or the claim could not be checked. They too stay claimed until `forget` is called.
   */
  release: (unsent: readonly Claimed[]) => void;
}

// Maximum number of claimed deliveries per fast request that the limits allow, excluding those of slow requests.
const claimedPerRequest = 4;

// Deliveries that are claimed in advance for each request in a webhook's window, so that one query claims many.
const waitingPerRequest = 32;

/**
 * Creates the dispatcher of a worker, which sends its claimed deliveries as soon as the limits allow. While the
 * window of a webhook allows only one request, its deliveries are claimed one at a time.
 */
export function createDeliveryDispatcher({ limits, send, record, release }: DispatcherOptions) {
  const bulkhead = createBulkhead(limits);
  const claimedKeys = new Map<string, DeliveryKey>();
  /** Claimed deliveries that have not ended. Others wait for the storage of their outcome, and take no capacity meanwhile. */
  const unended = new Set<string>();
  const unendedOfCompany = createCounts<number>();
  /** Claimed deliveries that have not started, by webhook. The webhook that started one last comes last. */
  const waiting = new Map<number, Claimed[]>();
  const inFlight = new Set<Promise<void>>();

  function start(claimed: Claimed): void {
    const { companyId, webhookId } = claimed.delivery;
    const request = bulkhead.begin(targetOf(claimed));
    const patience = setTimeout(() => {
      request.markSlow();
      if (bulkhead.isBlocked(companyId)) releaseCompany(companyId);
      startWaiting();
    }, limits.slowAfterMs);
    const done = send(claimed)
      .then(async (result) => {
        clearTimeout(patience);
        const success = result && isSuccess(result);
        request.finish(success);
        // If this delivery must no longer be sent, the others may have to be claimed again as well.
        if (!success) releaseWebhook(webhookId);
        startWaiting();
        end([claimed]);
        if (result) await record(claimed, result);
        else release([claimed]);
      })
      .finally(() => inFlight.delete(done));
    inFlight.add(done);
  }

  /** Starts waiting deliveries until the limits allow no more. */
  function startWaiting(): void {
    while (bulkhead.free() > 0) {
      const next = takeNext();
      if (!next) return;
      start(next);
    }
  }

  /**
   * Takes the next delivery, of the company with the fewest fast requests to an origin, so that companies share each
   * origin evenly. Webhooks take turns.
   */
  function takeNext(): Claimed | undefined {
    let next: Claimed | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [first] of waiting.values()) {
      if (!first || !bulkhead.mayStart(targetOf(first))) continue;
      const count = bulkhead.inFlight(targetOf(first));
      if (count >= fewest) continue;
      fewest = count;
      next = first;
      if (count === 0) break;
    }
    if (!next) return undefined;
    const { webhookId } = next.delivery;
    const deliveries = waiting.get(webhookId) ?? [];
    deliveries.shift();
    waiting.delete(webhookId);
    if (deliveries.length > 0) waiting.set(webhookId, deliveries);
    return next;
  }

  function end(deliveries: readonly Claimed[]): void {
    for (const { delivery } of deliveries)
      if (unended.delete(formatDeliveryKey(delivery))) unendedOfCompany.add(delivery.companyId, -1);
  }

  function releaseWebhook(webhookId: number): void {
    const unsent = waiting.get(webhookId);
    if (!unsent) return;
    waiting.delete(webhookId);
    end(unsent);
    release(unsent);
  }

  /**
   * Releases the waiting deliveries of a company that has reached its limit with slow requests, so that they take no
   * capacity from other companies.
   */
  function releaseCompany(companyId: number): void {
    for (const [webhookId, [first]] of [...waiting])
      if (first?.delivery.companyId === companyId) releaseWebhook(webhookId);
  }

  // Deliveries of requests in slow slots do not count.
  const free = (): number => limits.fast * claimedPerRequest - (unended.size - bulkhead.slow());

  return {
    claimedKeys: (): DeliveryKey[] => [...claimedKeys.values()],
    /** Returns how many more deliveries may be claimed. */
    free,
    /** Returns the number of requests that are in flight or not recorded yet. */
    inFlight: (): number => inFlight.size,
    /** Returns how many more deliveries of a webhook may be claimed. */
    room(webhookId: number): number {
      const windowSize = bulkhead.windowSize(webhookId);
      const room = bulkhead.windowRoom(webhookId) - (waiting.get(webhookId)?.length ?? 0);
      if (windowSize === 1) return Math.max(0, room);
      const ahead = windowSize * waitingPerRequest;
      // Returns 0 until half of the queue is free, so that claims take many deliveries, not one per request.
      return room + ahead >= ahead / 2 ? room + ahead : 0;
    },
    /**
     * Returns how many more deliveries of a company may be claimed. In total, it gets at most half of the capacity that
     * other companies leave free, so that they can always claim some.
     */
    companyRoom: (companyId: number): number =>
      bulkhead.isBlocked(companyId)
        ? 0
        : Math.max(0, Math.ceil((free() - unendedOfCompany.of(companyId)) / 2)),
    dispatch(deliveries: readonly Claimed[]): void {
      for (const claimed of deliveries) {
        const { companyId, webhookId, sequence } = claimed.delivery;
        const name = formatDeliveryKey(claimed.delivery);
        if (claimedKeys.has(name)) continue;
        claimedKeys.set(name, { companyId, webhookId, sequence });
        unended.add(name);
        unendedOfCompany.add(companyId, 1);
        const own = waiting.get(webhookId);
        if (own) own.push(claimed);
        else waiting.set(webhookId, [claimed]);
      }
      startWaiting();
    },
    /** Called when a delivery's outcome is stored. */
    forget(key: DeliveryKey): void {
      claimedKeys.delete(formatDeliveryKey(key));
    },
    /** Releases the waiting deliveries of each webhook of which one was revoked. */
    withdraw(revoked: readonly { webhook_id: number }[]): void {
      for (const { webhook_id } of revoked) releaseWebhook(webhook_id);
    },
    /** Discards waiting deliveries, so that nothing more starts. */
    clear: (): void => waiting.clear(),
  };
}

const targetOf = ({ delivery: { companyId, webhookId }, origin }: Claimed): DeliveryTarget => ({
  companyId,
  webhookId,
  origin,
});
