import { type DeliveryKey, formatDeliveryKey } from '../storage/queue-types.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import type { Bulkhead, DeliveryTarget } from './bulkhead.ts';
import type { Claimed } from './claim.ts';

export interface DispatcherOptions {
  bulkhead: Bulkhead;
  /** How many deliveries there may be, without those of slow requests. */
  capacity: number;
  /** After this time a request counts as slow, in milliseconds. */
  patienceMs: number;
  /** Makes the request. Returns nothing if it must not be made any more: then the delivery is returned. */
  attempt: (claimed: Claimed) => Promise<Attempt | undefined>;
  /** Called at the end of each request. The delivery stays claimed until `letGo`. */
  onOver: (claimed: Claimed, result: Attempt) => Promise<void>;
  /** Called with deliveries that are not sent now: their webhook fails, or has changed. */
  onReturned: (returned: readonly Claimed[]) => void;
}

// Deliveries that lie ready behind each request in flight, so that the database is asked for many at once.
const readyForEach = 32;

/**
 * The deliveries that a worker has claimed: in flight, and ready behind those. A webhook that has not succeeded yet has at
 * most one.
 */
export function createDeliveryDispatcher({
  bulkhead,
  capacity,
  patienceMs,
  attempt,
  onOver,
  onReturned,
}: DispatcherOptions) {
  const keys = new Map<string, DeliveryKey>();
  const ofCompany = new Map<number, number>();
  /** By origin, then by webhook. */
  const ready = new Map<string, Map<number, Claimed[]>>();
  const inFlight = new Set<Promise<void>>();

  function begin(claimed: Claimed): void {
    const request = bulkhead.begin(targetOf(claimed));
    const patience = setTimeout(() => {
      request.lasts();
      dispatch();
    }, patienceMs);
    const working = attempt(claimed)
      .then(async (result) => {
        clearTimeout(patience);
        const success = result && isSuccess(result);
        request.over(success);
        if (success === false) giveBack(claimed);
        dispatch();
        if (result) await onOver(claimed, result);
        else onReturned([claimed]);
      })
      .finally(() => inFlight.delete(working));
    inFlight.add(working);
  }

  /** Begins ready deliveries, one origin after the other, while there are places. */
  function dispatch(): void {
    for (let begun = true; begun && bulkhead.free() > 0; ) {
      begun = false;
      for (const [origin, webhooks] of [...ready]) {
        if (bulkhead.free() === 0) return;
        const next = bulkhead.originRoom(origin) > 0 ? takeNext(webhooks) : undefined;
        if (!next) continue;
        ready.delete(origin);
        if (webhooks.size > 0) ready.set(origin, webhooks);
        begin(next);
        begun = true;
      }
    }
  }

  /** The company with the fewest requests in flight at the origin is next, so companies share it evenly. */
  function takeNext(webhooks: Map<number, Claimed[]>): Claimed | undefined {
    let next: Claimed | undefined;
    let fewest = Number.POSITIVE_INFINITY;
    for (const [webhookId, [first]] of webhooks) {
      if (!first || bulkhead.windowRoom(webhookId) === 0) continue;
      const count = bulkhead.inFlight(targetOf(first));
      if (count >= fewest) continue;
      fewest = count;
      next = first;
    }
    if (!next) return undefined;
    const { webhookId } = next.delivery;
    const waiting = webhooks.get(webhookId) ?? [];
    waiting.shift();
    // Behind the other webhooks.
    webhooks.delete(webhookId);
    if (waiting.length > 0) webhooks.set(webhookId, waiting);
    return next;
  }

  function giveBack({ origin, delivery: { webhookId } }: Claimed): void {
    const webhooks = ready.get(origin);
    const returned = webhooks?.get(webhookId) ?? [];
    webhooks?.delete(webhookId);
    if (webhooks?.size === 0) ready.delete(origin);
    if (returned.length > 0) onReturned(returned);
  }

  // Deliveries of slow requests take no room.
  const free = (): number => capacity - (keys.size - bulkhead.slow());

  return {
    has: (key: DeliveryKey): boolean => keys.has(formatDeliveryKey(key)),
    keys: (): DeliveryKey[] => [...keys.values()],
    /** How many more deliveries may be claimed. */
    free,
    /** How many requests are not over, or not recorded yet. */
    calls: (): number => inFlight.size,
    /** How many more deliveries may be claimed for a webhook. */
    room({ origin, webhookId }: DeliveryTarget): number {
      const windowSize = bulkhead.windowSize(webhookId);
      const lying = ready.get(origin)?.get(webhookId)?.length ?? 0;
      const room = bulkhead.windowRoom(webhookId) - lying;
      if (windowSize === 1) return Math.max(0, room);
      const ahead = windowSize * readyForEach;
      // Many at once, and not each as its place becomes free.
      return room + ahead >= ahead / 2 ? room + ahead : 0;
    },
    /**
     * How many more deliveries may be claimed for a company: it never has more than what is free, so that there is always
     * room for other companies.
     */
    companyRoom: (companyId: number): number =>
      bulkhead.isHeld(companyId) ? 0 : Math.max(0, free() - (ofCompany.get(companyId) ?? 0)),
    take(claimed: readonly Claimed[]): void {
      for (const one of claimed) {
        const { companyId, webhookId, sequence } = one.delivery;
        const name = formatDeliveryKey(one.delivery);
        if (keys.has(name)) continue;
        keys.set(name, { companyId, webhookId, sequence });
        ofCompany.set(companyId, (ofCompany.get(companyId) ?? 0) + 1);
        const webhooks = ready.get(one.origin) ?? new Map<number, Claimed[]>();
        ready.set(one.origin, webhooks);
        const waiting = webhooks.get(webhookId) ?? [];
        webhooks.set(webhookId, waiting);
        waiting.push(one);
      }
      dispatch();
    },
    /** The outcome of a delivery is recorded. */
    letGo(key: DeliveryKey): void {
      if (!keys.delete(formatDeliveryKey(key))) return;
      const left = (ofCompany.get(key.companyId) ?? 0) - 1;
      if (left > 0) ofCompany.set(key.companyId, left);
      else ofCompany.delete(key.companyId);
    },
    /** Begins nothing more. */
    drop: (): void => ready.clear(),
  };
}

const targetOf = ({ delivery: { companyId, webhookId }, origin }: Claimed): DeliveryTarget => ({
  companyId,
  webhookId,
  origin,
});

export type DeliveryDispatcher = ReturnType<typeof createDeliveryDispatcher>;
