import { type DeliveryKey, formatDeliveryKey } from '../storage/queue-types.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import type { Bulkhead, DeliveryTarget } from './bulkhead.ts';
import type { Claimed } from './claim.ts';

export interface DispatcherOptions {
  bulkhead: Bulkhead;
  /** Maximum number of claimed deliveries, excluding those of slow requests. */
  capacity: number;
  /** A request counts as slow after this time, in milliseconds. */
  slowAfterMs: number;
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

// Deliveries that are claimed in advance for each request in a webhook's window, so that one query claims many.
const waitingPerRequest = 32;

/**
 * Creates the dispatcher of a worker, which sends its claimed deliveries as soon as the bulkhead allows. While the
 * window of a webhook allows only one request, its deliveries are claimed one at a time.
 */
export function createDeliveryDispatcher(options: DispatcherOptions) {
  const { bulkhead, capacity, slowAfterMs, send, record, release } = options;
  const claimedKeys = new Map<string, DeliveryKey>();
  const claimedOfCompany = new Map<number, number>();
  /** Claimed deliveries that have not started, by origin, then by webhook. */
  const waiting = new Map<string, Map<number, Claimed[]>>();
  const inFlight = new Set<Promise<void>>();

  function start(claimed: Claimed): void {
    const { companyId } = claimed.delivery;
    const request = bulkhead.begin(targetOf(claimed));
    const patience = setTimeout(() => {
      request.markSlow();
      if (bulkhead.isBlocked(companyId)) releaseCompany(companyId);
      startWaiting();
    }, slowAfterMs);
    const done = send(claimed)
      .then(async (result) => {
        clearTimeout(patience);
        const success = result && isSuccess(result);
        request.finish(success);
        // If this delivery must no longer be sent, the others may have to be claimed again as well.
        if (!success) releaseWebhook(claimed);
        startWaiting();
        if (result) await record(claimed, result);
        else release([claimed]);
      })
      .finally(() => inFlight.delete(done));
    inFlight.add(done);
  }

  /** Starts waiting deliveries, one origin after another, until the limits allow no more. */
  function startWaiting(): void {
    for (let hasStarted = true; hasStarted && bulkhead.free() > 0; ) {
      hasStarted = false;
      for (const [origin, webhooks] of [...waiting]) {
        if (bulkhead.free() === 0) return;
        const next = bulkhead.originRoom(origin) > 0 ? takeNext(webhooks) : undefined;
        if (!next) continue;
        waiting.delete(origin);
        if (webhooks.size > 0) waiting.set(origin, webhooks);
        start(next);
        hasStarted = true;
      }
    }
  }

  /**
   * Takes the next delivery from the webhooks of an origin. The company with the fewest fast requests to the origin
   * goes next, so companies share the origin evenly.
   */
  function takeNext(webhooks: Map<number, Claimed[]>): Claimed | undefined {
    let next: Claimed | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [webhookId, [first]] of webhooks) {
      if (!first || bulkhead.windowRoom(webhookId) === 0) continue;
      if (bulkhead.companyRoom(first.delivery.companyId) <= 0) continue;
      const count = bulkhead.inFlight(targetOf(first));
      if (count >= fewest) continue;
      fewest = count;
      next = first;
    }
    if (!next) return undefined;
    const { webhookId } = next.delivery;
    const deliveries = webhooks.get(webhookId) ?? [];
    deliveries.shift();
    // Moves the webhook to the end, so that webhooks take turns.
    webhooks.delete(webhookId);
    if (deliveries.length > 0) webhooks.set(webhookId, deliveries);
    return next;
  }

  function releaseWebhook({ origin, delivery: { webhookId } }: Claimed): void {
    const webhooks = waiting.get(origin);
    const unsent = webhooks?.get(webhookId) ?? [];
    webhooks?.delete(webhookId);
    if (webhooks?.size === 0) waiting.delete(origin);
    if (unsent.length > 0) release(unsent);
  }

  /**
   * Releases the waiting deliveries of a company that has reached its limit with slow requests, so that they take no
   * capacity from other companies.
   */
  function releaseCompany(companyId: number): void {
    for (const webhooks of [...waiting.values()])
      for (const [first] of [...webhooks.values()])
        if (first?.delivery.companyId === companyId) releaseWebhook(first);
  }

  /** Releases the waiting deliveries of each webhook of which one was revoked. */
  function withdraw(revoked: readonly DeliveryKey[]): void {
    if (revoked.length === 0) return;
    const keys = new Set(revoked.map(formatDeliveryKey));
    for (const webhooks of [...waiting.values()])
      for (const deliveries of [...webhooks.values()]) {
        const found = deliveries.find(({ delivery }) => keys.has(formatDeliveryKey(delivery)));
        if (found) releaseWebhook(found);
      }
  }

  // Deliveries of requests in slow slots do not count.
  const free = (): number => capacity - (claimedKeys.size - bulkhead.slow());

  return {
    claimedKeys: (): DeliveryKey[] => [...claimedKeys.values()],
    /** Returns how many more deliveries may be claimed. */
    free,
    /** Returns the number of requests that are in flight or not recorded yet. */
    inFlight: (): number => inFlight.size,
    /** Returns how many more deliveries of a webhook may be claimed. */
    room({ origin, webhookId }: DeliveryTarget): number {
      const windowSize = bulkhead.windowSize(webhookId);
      const room = bulkhead.windowRoom(webhookId) - (waiting.get(origin)?.get(webhookId)?.length ?? 0);
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
        : Math.max(0, Math.ceil((free() - (claimedOfCompany.get(companyId) ?? 0)) / 2)),
    dispatch(deliveries: readonly Claimed[]): void {
      for (const claimed of deliveries) {
        const { companyId, webhookId, sequence } = claimed.delivery;
        const name = formatDeliveryKey(claimed.delivery);
        if (claimedKeys.has(name)) continue;
        claimedKeys.set(name, { companyId, webhookId, sequence });
        claimedOfCompany.set(companyId, (claimedOfCompany.get(companyId) ?? 0) + 1);
        const webhooks = waiting.get(claimed.origin) ?? new Map<number, Claimed[]>();
        waiting.set(claimed.origin, webhooks);
        const own = webhooks.get(webhookId) ?? [];
        webhooks.set(webhookId, own);
        own.push(claimed);
      }
      startWaiting();
    },
    /** Called when a delivery's outcome is stored. */
    forget(key: DeliveryKey): void {
      if (!claimedKeys.delete(formatDeliveryKey(key))) return;
      const left = (claimedOfCompany.get(key.companyId) ?? 0) - 1;
      if (left > 0) claimedOfCompany.set(key.companyId, left);
      else claimedOfCompany.delete(key.companyId);
    },
    withdraw,
    /** Discards waiting deliveries, so that nothing more starts. */
    clear: (): void => waiting.clear(),
  };
}

const targetOf = ({ delivery: { companyId, webhookId }, origin }: Claimed): DeliveryTarget => ({
  companyId,
  webhookId,
  origin,
});
