import { createFairQueue } from '../lib/fair-queue.ts';
import { type DeliveryKey, formatDeliveryKey } from '../storage/queue-types.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import type { Claimed } from './claim.ts';

/** Maximum numbers of requests in flight. */
export interface DeliveryLimits {
  perWorker: number;
  perCompany: number;
  perWebhook: number;
}

interface DispatcherOptions {
  limits: DeliveryLimits;
  /** Sends a delivery. Returns undefined if it must no longer be sent; the delivery is then released. */
  send: (claimed: Claimed) => Promise<Attempt | undefined>;
  /** Records the result of a request. The delivery stays claimed until `forget` is called. */
  record: (claimed: Claimed, result: Attempt) => Promise<void>;
  /**
   * Releases deliveries without sending them, because their webhook fails or has changed, or the claim could not be checked.
   * They too stay claimed until `forget` is called.
   */
  release: (unsent: readonly Claimed[]) => void;
}

/** The claimed deliveries of a webhook whose requests have not ended. */
interface Line {
  /** Those whose turn in the queue has not come, with what removes them from it. */
  queued: Map<Claimed, () => void>;
  inFlight: number;
  /** Those that enter the queue when the window of the webhook allows it. */
  waiting: Claimed[];
}

const sizeOf = ({ queued, inFlight, waiting }: Line): number => queued.size + inFlight + waiting.length;

// Maximum number of claimed deliveries per request that the limit of the worker allows.
const claimedPerRequest = 2;

// Deliveries that are claimed in advance for each request in a webhook's window, so that one query claims many.
const waitingPerRequest = 32;

// Above this number of known windows, the window of the webhook that finished a request least recently returns to one.
const maxKnown = 10_000;

/**
 * Creates the dispatcher of a worker, which sends its claimed deliveries as soon as the limits allow. Companies take turns. Each
 * webhook has a window, so a receiver that hangs or fails delays only its own webhook: the window allows one request at
 * first, one more after each success, and only one after a failure.
 */
export function createDeliveryDispatcher({ limits, send, record, release }: DispatcherOptions) {
  const queue = createFairQueue({ max: limits.perWorker, maxPerKey: limits.perCompany });
  const claimedKeys = new Map<string, DeliveryKey>();
  const lines = new Map<number, Line>();
  /** The numbers of deliveries in lines. Those that have ended wait for the storage of their outcome, and take no capacity. */
  const ofCompany = new Map<number, number>();
  let all = 0;
  /** The windows of webhooks that are larger than one. */
  const windows = new Map<number, number>();
  const inFlight = new Set<Promise<void>>();

  const windowOf = (webhookId: number): number => windows.get(webhookId) ?? 1;

  function resizeWindow(webhookId: number, size: number): void {
    windows.delete(webhookId);
    if (size > 1) windows.set(webhookId, size);
    const [oldest] = windows.keys();
    if (windows.size > maxKnown && oldest !== undefined) windows.delete(oldest);
  }

  function count({ delivery: { companyId } }: Claimed, change: 1 | -1): void {
    const own = (ofCompany.get(companyId) ?? 0) + change;
    if (own > 0) ofCompany.set(companyId, own);
    else ofCompany.delete(companyId);
    all += change;
  }

  /** Lets deliveries of a webhook enter the queue until its window allows no more. */
  function advance(webhookId: number): void {
    const line = lines.get(webhookId);
    while (line && line.queued.size + line.inFlight < windowOf(webhookId)) {
      const next = line.waiting.shift();
      if (!next) break;
      line.queued.set(next, () => {});
      const leave = queue.enter(
        String(next.delivery.companyId),
        (end) => start(line, next, end),
        () => {},
      );
      if (line.queued.has(next)) line.queued.set(next, leave);
    }
    if (line && sizeOf(line) === 0) lines.delete(webhookId);
  }

  function start(line: Line, claimed: Claimed, endTurn: () => void): void {
    const { webhookId } = claimed.delivery;
    line.queued.delete(claimed);
    line.inFlight += 1;
    const done = send(claimed)
      .then(async (result) => {
        const success = result && isSuccess(result);
        line.inFlight -= 1;
        count(claimed, -1);
        if (result)
          resizeWindow(webhookId, success ? Math.min(limits.perWebhook, windowOf(webhookId) + 1) : 1);
        // If this delivery must no longer be sent, the others may have to be claimed again as well.
        if (!success) releaseWebhook(webhookId);
        endTurn();
        advance(webhookId);
        if (result) await record(claimed, result);
        else release([claimed]);
      })
      .finally(() => inFlight.delete(done));
    inFlight.add(done);
  }

  /** Removes the deliveries of a webhook that have not started. */
  function takeUnsent(line: Line): Claimed[] {
    const unsent = [...line.queued.keys(), ...line.waiting];
    for (const leave of line.queued.values()) leave();
    line.queued.clear();
    line.waiting = [];
    for (const claimed of unsent) count(claimed, -1);
    return unsent;
  }

  function releaseWebhook(webhookId: number): void {
    const line = lines.get(webhookId);
    const unsent = line ? takeUnsent(line) : [];
    if (unsent.length > 0) release(unsent);
    advance(webhookId);
  }

  const free = (): number => limits.perWorker * claimedPerRequest - all;

  return {
    claimedKeys: (): DeliveryKey[] => [...claimedKeys.values()],
    /** Returns how many more deliveries may be claimed. */
    free,
    /** Returns the number of requests that are in flight or not recorded yet. */
    inFlight: (): number => inFlight.size,
    /** Returns how many more deliveries of a webhook may be claimed. While its window is one, they are claimed one at a time. */
    room(webhookId: number): number {
      const line = lines.get(webhookId);
      const window = windowOf(webhookId);
      const room = window - (line ? sizeOf(line) : 0);
      if (window === 1) return Math.max(0, room);
      const ahead = window * waitingPerRequest;
      // Returns 0 until half of the deliveries ahead are sent, so that claims take many, not one per request.
      return room + ahead >= ahead / 2 ? room + ahead : 0;
    },
    /** Returns how many deliveries of a company are claimed and have not ended. */
    claimedOf: (companyId: number): number => ofCompany.get(companyId) ?? 0,
    dispatch(deliveries: readonly Claimed[]): void {
      const webhookIds = new Set<number>();
      for (const claimed of deliveries) {
        const { companyId, webhookId, sequence } = claimed.delivery;
        const name = formatDeliveryKey(claimed.delivery);
        if (claimedKeys.has(name)) continue;
        claimedKeys.set(name, { companyId, webhookId, sequence });
        count(claimed, 1);
        const line: Line = lines.get(webhookId) ?? { queued: new Map(), inFlight: 0, waiting: [] };
        line.waiting.push(claimed);
        lines.set(webhookId, line);
        webhookIds.add(webhookId);
      }
      for (const webhookId of webhookIds) advance(webhookId);
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
    clear(): void {
      for (const line of lines.values()) takeUnsent(line);
    },
  };
}
