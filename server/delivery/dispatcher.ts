import { type DeliveryKey, formatDeliveryKey } from '../storage/queue-types.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import type { Bulkhead, DeliveryTarget } from './bulkhead.ts';
import type { Claimed } from './claim.ts';

export interface DispatcherOptions {
  bulkhead: Bulkhead;
  /** Maximum number of claimed deliveries, without those of slow requests. */
  capacity: number;
  /** After this time a request counts as slow, in milliseconds. */
  patienceMs: number;
  /** Makes the request. Returns undefined if the delivery must not be sent any more; it is then returned. */
  attempt: (claimed: Claimed) => Promise<Attempt | undefined>;
  /** Called at the end of each request. The delivery stays claimed until `letGo` is called. */
  onOver: (claimed: Claimed, result: Attempt) => Promise<void>;
  /** Called with deliveries that are returned to the queue: their webhook fails or has changed. */
  onReturned: (returned: readonly Claimed[]) => void;
}

// Claimed deliveries waiting per request in flight, so that one query claims many.
const readyForEach = 32;

/**
 * Creates the dispatcher of a worker, which holds its claimed deliveries: in flight, and waiting. A webhook that has
 * not succeeded yet has at most one.
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
      if (bulkhead.isHeld(claimed.delivery.companyId)) giveBackCompany(claimed.delivery.companyId);
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

  /** Starts waiting deliveries, one origin after the other, while requests may start. */
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

  /** The company with the fewest requests in flight to the origin is next, so companies share it evenly. */
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
    const waiting = webhooks.get(webhookId) ?? [];
    waiting.shift();
    // Moves the webhook behind the others.
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

  /** Returns waiting deliveries of a company whose requests all hang, so that they take no room of others. */
  function giveBackCompany(companyId: number): void {
    const waiting = [...ready.values()].flatMap((webhooks) =>
      [...webhooks.values()].flatMap(([first]) => first ?? []),
    );
    for (const first of waiting) if (first.delivery.companyId === companyId) giveBack(first);
  }

  // Deliveries of slow requests do not count.
  const free = (): number => capacity - (keys.size - bulkhead.slow());

  return {
    has: (key: DeliveryKey): boolean => keys.has(formatDeliveryKey(key)),
    keys: (): DeliveryKey[] => [...keys.values()],
    /** Returns how many more deliveries may be claimed. */
    free,
    /** Returns the number of requests that are in flight or not recorded yet. */
    calls: (): number => inFlight.size,
    /** Returns how many more deliveries of a webhook may be claimed. */
    room({ origin, webhookId }: DeliveryTarget): number {
      const windowSize = bulkhead.windowSize(webhookId);
      const lying = ready.get(origin)?.get(webhookId)?.length ?? 0;
      const room = bulkhead.windowRoom(webhookId) - lying;
      if (windowSize === 1) return Math.max(0, room);
      const ahead = windowSize * readyForEach;
      // Claims many at a time, not one whenever a request ends.
      return room + ahead >= ahead / 2 ? room + ahead : 0;
    },
    /**
     * Returns how many more deliveries of a company may be claimed: at most half of what would be free without it, so
     * that other companies always find room.
     */
    companyRoom: (companyId: number): number =>
      bulkhead.isHeld(companyId) ? 0 : Math.max(0, Math.ceil((free() - (ofCompany.get(companyId) ?? 0)) / 2)),
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
    /** Called when the outcome of a delivery is recorded. */
    letGo(key: DeliveryKey): void {
      if (!keys.delete(formatDeliveryKey(key))) return;
      const left = (ofCompany.get(key.companyId) ?? 0) - 1;
      if (left > 0) ofCompany.set(key.companyId, left);
      else ofCompany.delete(key.companyId);
    },
    /** Discards waiting deliveries, so that nothing more starts. */
    drop: (): void => ready.clear(),
  };
}

const targetOf = ({ delivery: { companyId, webhookId }, origin }: Claimed): DeliveryTarget => ({
  companyId,
  webhookId,
  origin,
});

export type DeliveryDispatcher = ReturnType<typeof createDeliveryDispatcher>;
