import { createFairShares } from './fair-share.ts';

/*
 * Sheds load early. Otherwise requests would queue up until none of them completes in time. Shedding a request costs a
 * fraction of a response. There are two signs of overload: many requests in one turn of the event loop, because all
 * that arrived while the loop was busy are processed together, and many requests in flight, because they wait for the
 * database.
 */

export interface LoadShedder {
  /**
   * Called when a request arrives.
   * @param key identifies the client whose fair share applies; undefined if unknown
   * @returns false if the request is shed
   */
  admit(key: string | undefined): boolean;
  /**
   * Called when an admitted request has arrived completely. If it returns true, `release` follows.
   * @returns false if the request is shed
   */
  acquire(key: string | undefined): boolean;
  release(key: string | undefined): void;
  /** Whether an overload was detected and has not ended yet. */
  isOverloaded(): boolean;
}

/** More requests than this, in one turn of the event loop or in flight, count as overload if they persist. */
const maxConcurrent = 64;
/**
 * Overload must persist for this long, in milliseconds, because a single burst is not overload. A turn that has
 * admitted more than `maxConcurrent` requests admits no more after this time.
 */
const overloadDelayMs = 100;
/** Requests admitted per turn under overload. Further ones must be from clients under their fair share. */
const admittedPerTurn = 4;
/**
 * Replaces `admittedPerTurn` while a client under its fair share is active, because its requests wait for all admitted
 * ones.
 */
const admittedBesideLightClients = 1;
/** Maximum number of requests in flight per client. It is more than the burst of 200 that a token may send (D33). */
const maxInFlight = 256;
/**
 * Replaces `maxInFlight` under overload. This is more than the default size of the connection pool, so that no
 * connection is idle.
 */
const maxInFlightUnderOverload = 16;
/** Length of the window in which fair shares are counted, in milliseconds. */
const windowMs = 100;
/**
 * Overload ends after this time without a shed request, in milliseconds. A client under its fair share counts as active
 * for this long after a request.
 */
const calmMs = 500;

/**
 * @param now returns milliseconds
 * @param afterTurn runs a function after the current turn of the event loop
 */
export function createLoadShedder(
  now = () => performance.now(),
  afterTurn: (work: () => void) => unknown = setImmediate,
): LoadShedder {
  const inFlight = new Map<string, number>();
  let allInFlight = 0;
  let turn: { began: number; arrived: number; admitted: number } | undefined;
  let lastTurnEnded = now();
  let shares = createFairShares();
  let windowBegan = now();
  /** When the first turn of the current series of turns with too many requests ended. */
  let busySince: number | undefined;
  let isOverloaded = false;
  let lastShed = Number.NEGATIVE_INFINITY;
  let lastUnderShare = Number.NEGATIVE_INFINITY;

  function endTurn(): void {
    if (!turn) return;
    const at = now();
    const isBusy = turn.arrived > maxConcurrent || allInFlight > maxConcurrent;
    busySince = isBusy ? (busySince ?? at) : undefined;
    if (!isOverloaded && busySince !== undefined && at - busySince >= overloadDelayMs) {
      isOverloaded = true;
      lastShed = at;
    }
    turn = undefined;
    lastTurnEnded = at;
  }

  return {
    admit(key) {
      const at = now();
      if (at - lastShed >= calmMs) isOverloaded = false;
      if (at - windowBegan >= windowMs) {
        shares = shares.next();
        windowBegan = at;
      }
      if (!turn) {
        if (at - lastTurnEnded > overloadDelayMs && allInFlight <= maxConcurrent) busySince = undefined;
        turn = { began: at, arrived: 0, admitted: 0 };
        afterTurn(endTurn);
      }
      turn.arrived += 1;
      const isUnderShare = shares.count(key);
      if (isUnderShare && isOverloaded) lastUnderShare = at;
      const limit = at - lastUnderShare < calmMs ? admittedBesideLightClients : admittedPerTurn;
      const isTooLate = turn.admitted > maxConcurrent && at - turn.began > overloadDelayMs;
      if (isTooLate || (isOverloaded && turn.admitted >= limit && !isUnderShare)) {
        lastShed = at;
        return false;
      }
      turn.admitted += 1;
      shares.take();
      return true;
    },
    acquire(key = '') {
      const own = inFlight.get(key) ?? 0;
      if (own >= (isOverloaded ? maxInFlightUnderOverload : maxInFlight)) {
        lastShed = now();
        return false;
      }
      inFlight.set(key, own + 1);
      allInFlight += 1;
      return true;
    },
    release(key = '') {
      const own = inFlight.get(key) ?? 0;
      if (own > 1) inFlight.set(key, own - 1);
      else inFlight.delete(key);
      allInFlight -= 1;
    },
    isOverloaded: () => isOverloaded,
  };
}
