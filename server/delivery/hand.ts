import type { DeliveryKey } from '../storage/queue.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import type { Claimed } from './claim.ts';
import type { Lanes } from './lanes.ts';

export interface HandOptions {
  lanes: Lanes;
  /** When a call is taken for one that hangs, in milliseconds. */
  patienceMs: number;
  attempt: (claimed: Claimed) => Promise<Attempt>;
  /** Told of the end of each call; the delivery is in hand until what is returned is over. */
  onOver: (claimed: Claimed, result: Attempt) => Promise<void>;
  /** Told of deliveries that were taken and will not be sent now, because their address fails or hangs. */
  onReturned: (returned: readonly Claimed[]) => void;
}

// While some are on their way the next ones lie ready: the database is asked for many at once.
const readyForEach = 16;

/**
 * What a worker has in hand: deliveries on their way, and some that lie ready behind them. For an address that is
 * not known to work nothing lies ready.
 */
export function createHand({ lanes, patienceMs, attempt, onOver, onReturned }: HandOptions) {
  const keys = new Map<string, DeliveryKey>();
  const ready = new Map<string, Claimed[]>();
  const underWay = new Set<Promise<void>>();

  const readyFor = (address: string): number => ready.get(address)?.length ?? 0;

  function begin(claimed: Claimed): void {
    const call = lanes.begin(claimed.address);
    const patience = setTimeout(() => {
      call.lasts();
      giveBack(claimed.address);
      goOn(claimed.address);
    }, patienceMs);
    const working = attempt(claimed)
      .then(async (result) => {
        clearTimeout(patience);
        call.over(isSuccess(result));
        if (!isSuccess(result)) giveBack(claimed.address);
        goOn(claimed.address);
        await onOver(claimed, result);
      })
      .finally(() => underWay.delete(working));
    underWay.add(working);
  }

  /** Begins what lies ready: for the address where a call has ended, and for others that have waited for a place. */
  function goOn(address: string): void {
    for (const name of [address, ...ready.keys()]) {
      const waiting = ready.get(name) ?? [];
      while (waiting.length > 0 && lanes.free() > 0 && lanes.room(name) > 0) {
        const next = waiting.shift();
        if (next) begin(next);
      }
      if (waiting.length === 0) ready.delete(name);
      if (lanes.free() === 0) return;
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
    /** How many there are, without those that hang. */
    size: (): number => keys.size - lanes.lasting(),
    isBusy: (): boolean => underWay.size > 0,
    /** How many more deliveries may be taken for an address. */
    room(address: string): number {
      const places = lanes.room(address);
      if (!lanes.isProven(address)) return Math.max(0, places - readyFor(address));
      const ahead = lanes.window(address) * readyForEach;
      const room = places + ahead - readyFor(address);
      // Many at once, and not each as its place comes free.
      return room >= ahead / 2 ? room : 0;
    },
    take(claimed: readonly Claimed[]): void {
      for (const one of claimed) {
        const { companyId, webhookId, sequence } = one.delivery;
        keys.set(nameOf(one.delivery), { companyId, webhookId, sequence });
        const waiting = ready.get(one.address) ?? [];
        ready.set(one.address, waiting);
        waiting.push(one);
      }
      for (const address of new Set(claimed.map((one) => one.address))) goOn(address);
    },
    /** It is written down how it goes on with a delivery. */
    letGo: (key: DeliveryKey): boolean => keys.delete(nameOf(key)),
    /** Begins nothing more. */
    drop: (): void => ready.clear(),
  };
}

const nameOf = ({ webhookId, sequence }: DeliveryKey): string => `${webhookId}:${sequence}`;
