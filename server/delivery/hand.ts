import { type DeliveryKey, nameOf } from '../storage/queue.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import type { Claimed } from './claim.ts';
import type { Lanes } from './lanes.ts';

export interface HandOptions {
  lanes: Lanes;
  /** When a call is taken for one that lasts, in milliseconds. */
  patienceMs: number;
  /** Makes the call. Nothing where it is not to be made any more: then the delivery is returned. */
  attempt: (claimed: Claimed) => Promise<Attempt | undefined>;
  /** Told of the end of each call; the delivery is in hand until it is let go. */
  onOver: (claimed: Claimed, result: Attempt) => Promise<void>;
  /** Told of deliveries that were taken and will not be sent now: their address fails, or their webhook has changed. */
  onReturned: (returned: readonly Claimed[]) => void;
}

// While some are on their way the next ones lie ready: the database is asked for many at once.
const readyForEach = 32;

/**
 * What a worker has in hand: deliveries on their way, and some that lie ready behind them, those of one address
 * after those of another. For an address that has not answered well yet, there is one at the most.
 */
export function createHand({ lanes, patienceMs, attempt, onOver, onReturned }: HandOptions) {
  const keys = new Map<string, DeliveryKey>();
  const ready = new Map<string, Claimed[]>();
  const underWay = new Set<Promise<void>>();

  const readyFor = (address: string): number => ready.get(address)?.length ?? 0;

  function begin(claimed: Claimed): void {
    const { address, delivery } = claimed;
    const call = lanes.begin(address, delivery.companyId);
    const patience = setTimeout(() => {
      call.lasts();
      goOn();
    }, patienceMs);
    const working = attempt(claimed)
      .then(async (result) => {
        clearTimeout(patience);
        const success = result && isSuccess(result);
        call.over(success);
        if (success === false) giveBack(address);
        goOn();
        if (result) await onOver(claimed, result);
        else onReturned([claimed]);
      })
      .finally(() => underWay.delete(working));
    underWay.add(working);
  }

  /** Begins what lies ready, one address after the other, while there are places. */
  function goOn(): void {
    for (let begun = true; begun && lanes.free() > 0; ) {
      begun = false;
      for (const [address, waiting] of [...ready]) {
        if (lanes.free() === 0) return;
        const next = lanes.room(address) > 0 ? waiting.shift() : undefined;
        if (!next) continue;
        // Behind the others.
        ready.delete(address);
        if (waiting.length > 0) ready.set(address, waiting);
        begin(next);
        begun = true;
      }
    }
  }

  function giveBack(address: string): void {
    const returned = ready.get(address) ?? [];
    ready.delete(address);
    if (returned.length > 0) onReturned(returned);
  }

  return {
    has: (key: DeliveryKey): boolean => keys.has(nameOf(key)),
    keys: (): DeliveryKey[] => [...keys.values()],
    /** How many there are, without those that stand beside the quick ones. */
    size: (): number => keys.size - lanes.slow(),
    /** How many calls are not over, or not written down yet. */
    calls: (): number => underWay.size,
    /** How many more deliveries may be taken for an address. */
    room(address: string): number {
      const window = lanes.window(address);
      if (window === 1) return Math.max(0, lanes.room(address) - readyFor(address));
      const ahead = window * readyForEach;
      const room = lanes.room(address) + ahead - readyFor(address);
      // Many at once, and not each as its place comes free.
      return room >= ahead / 2 ? room : 0;
    },
    take(claimed: readonly Claimed[]): void {
      for (const one of claimed) {
        const { companyId, webhookId, sequence } = one.delivery;
        const name = nameOf(one.delivery);
        if (keys.has(name)) continue;
        keys.set(name, { companyId, webhookId, sequence });
        const waiting = ready.get(one.address) ?? [];
        ready.set(one.address, waiting);
        waiting.push(one);
      }
      goOn();
    },
    /** It is written down how it goes on with a delivery. */
    letGo: (key: DeliveryKey): boolean => keys.delete(nameOf(key)),
    /** Begins nothing more. */
    drop: (): void => ready.clear(),
  };
}

export type Hand = ReturnType<typeof createHand>;
