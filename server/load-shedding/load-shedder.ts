import { createFairShares } from './fair-share.ts';

/*
 * Sheds load before requests queue up until none of them completes in time. Shedding a request costs a fraction of a
 * response. Overload shows in the event loop, where all requests that arrived while it was busy are processed in one
 * turn, and in the requests in flight, which wait for the database.
 */

export interface LoadShedder {
  /**
   * Called when a request arrives.
   * @param key the client whose fair share counts; undefined if unknown
   * @returns false if the request is shed
   */
  admit(key: string | undefined): boolean;
  /**
   * Called when an admitted request has arrived completely. If it returns true, `release` follows.
   * @returns false if the request is shed
   */
  acquire(key: string | undefined): boolean;
  release(key: string | undefined): void;
  /** Whether requests are being shed. */
  isOverloaded(): boolean;
}

/** More requests than this, in one turn of the event loop or in flight, count as overload if they persist. */
const maxConcurrent = 64;
/**
 * Overload must persist for this long, in milliseconds, because a single burst is not overload. A turn admits
 * requests for at most this long.
 */
const overloadDelayMs = 100;
/** Requests that a turn admits under overload, in addition to those of clients under their fair share. */
const admittedPerTurn = 4;
/** The same while a client under its fair share is active, because its requests wait for all admitted ones. */
const admittedBesideLightClients = 1;
/** Maximum number of requests in flight per client: a token may send a burst of 200 (D33). */
const maxInFlight = 256;
/** The same under overload: more than the connection pool has connections, so that none is idle. */
const maxInFlightUnderOverload = 16;
/** Length of the window in which fair shares are counted, in milliseconds. */
const windowMs = 100;
/** Overload ends after this time without a shed request. A client counts as active for this long after a request. */
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
  /** The end of the first of successive turns with too many requests. */
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
