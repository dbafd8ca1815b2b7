import { performance as hooks } from 'node:perf_hooks';
import { createFairShares } from './fair-share.ts';

/*
 * Sheds load before requests queue up until none completes in time. Shed requests cost a fraction of a response.
 * Overload shows in the event loop, where all requests that arrived while it was busy are processed in one turn, and
 * in the requests in flight, which wait for the database.
 */

export interface LoadShedder {
  /**
   * Called for each request on arrival.
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

export interface LoadShedderOptions {
  /** Returns milliseconds. */
  now?: () => number;
  /** Runs a function after the current turn of the event loop. */
  afterEventLoopTurn?: (work: () => void) => void;
  /** Returns how long the event loop has been active, in milliseconds. */
  worked?: () => number;
}

/** Concurrency below this is not overload. */
const room = 64;
/** Turns must have too many requests for this long, in milliseconds: one burst is not overload. */
const patienceMs = 20;
/**
 * After this time a turn admits no more requests, in milliseconds, whether overloaded or not. A single slow request
 * does not cause this.
 */
const maxTurnMs = 100;
/** Requests that each turn admits under overload. */
const inTurn = 4;
/**
 * Requests that each turn admits while a client under its fair share is active, because it waits for all of them.
 * Shedding takes more of the time then.
 */
const inTurnBesideOthers = 1;
/** How long after its last request a client counts as active, in milliseconds. */
const besideMs = 1_000;
/**
 * Maximum requests in flight of one client under overload: more than the connection pool holds, so that no connection
 * is idle. Other clients do not count, because their requests may wait for something else.
 */
const inWorkAtOnce = 16;
/** Maximum requests in flight of one client without overload. */
const maxInFlight = 256;
/**
 * How long the maximum must be exceeded before requests are shed, in milliseconds: a token may send a burst of 200
 * (D33).
 */
const workPatienceMs = 100;
/** Length of the window in which requests are counted, in milliseconds. */
const windowMs = 100;
/** How long the load must have been low before everything is admitted again, in milliseconds. */
const calmMs = 500;
/** The load that counts as low, relative to capacity: arrivals are never spread evenly. */
const bearable = 0.8;
/** Minimum number of requests for measuring the cost of one. */
const fewest = 20;
/**
 * How long the cost is measured under overload, in milliseconds: a request may be processed in the window after its
 * admission.
 */
const learnMs = 1_000;

const loopWorked = () => hooks.eventLoopUtilization().active;

export function createLoadShedder(options: LoadShedderOptions = {}): LoadShedder {
  const { now = () => performance.now(), afterEventLoopTurn = setImmediate, worked = loopWorked } = options;
  let turn: { began: number; arrived: number; taken: number } | undefined;
  let window = beginWindow();
  let shares = createFairShares();
  /** When the first of successive turns with too many requests ended. */
  let deepSince: number | undefined;
  /** Since when too many requests were in flight at the ends of turns. */
  let fullSince: number | undefined;
  let loadShedder: { calmSince: number | undefined; seen: typeof window } | undefined;
  const inFlight = new Map<string, number>();
  let allInWork = 0;
  let lastTurnEnded = now();
  let lastLight = Number.NEGATIVE_INFINITY;
  /** Whether requests were shed in this window because of those in flight. */
  let isFull = false;
  /** Processing time of a request in milliseconds; unknown at first. */
  let cost = Number.POSITIVE_INFINITY;

  function beginWindow() {
    return { began: now(), worked: worked(), arrived: 0, taken: 0 };
  }

  function endWindow(at: number): void {
    const { began, worked: before, arrived, taken } = window;
    window = beginWindow();
    shares = shares.next();
    if (!loadShedder) {
      if (taken >= fewest) cost = (window.worked - before) / taken;
      return;
    }
    loadShedder.seen.taken += taken;
    if (at - loadShedder.seen.began >= learnMs) {
      // This includes the time of shedding, so it is an upper bound.
      if (loadShedder.seen.taken > 0)
        cost = Math.min(cost, (worked() - loadShedder.seen.worked) / loadShedder.seen.taken);
      loadShedder.seen = beginWindow();
    }
    const demand = arrived === 0 ? 0 : (arrived * cost) / (at - began);
    loadShedder.calmSince = demand < bearable && !isFull ? (loadShedder.calmSince ?? began) : undefined;
    isFull = false;
    if (loadShedder.calmSince !== undefined && at - loadShedder.calmSince >= calmMs) loadShedder = undefined;
  }

  function endTurn(): void {
    if (!turn) return;
    const at = now();
    deepSince = turn.arrived > room ? (deepSince ?? at) : undefined;
    fullSince = allInWork > room ? (fullSince ?? at) : undefined;
    const isDeep = at - (deepSince ?? at) >= patienceMs || at - (fullSince ?? at) >= workPatienceMs;
    if (!loadShedder && isDeep) loadShedder = { calmSince: undefined, seen: beginWindow() };
    turn = undefined;
    lastTurnEnded = at;
  }

  return {
    admit(key) {
      const at = now();
      if (at - window.began >= windowMs) endWindow(at);
      if (!turn) {
        // The backlog has been processed.
        if (at - lastTurnEnded > patienceMs) {
          deepSince = undefined;
          if (allInWork <= room) fullSince = undefined;
        }
        turn = { began: at, arrived: 0, taken: 0 };
        afterEventLoopTurn(endTurn);
      }
      turn.arrived += 1;
      window.arrived += 1;
      const isLight = shares.count(key);
      if (isLight && loadShedder) lastLight = at;
      const most = at - lastLight < besideMs ? inTurnBesideOthers : inTurn;
      const isTooLate = turn.taken > room && at - turn.began > maxTurnMs;
      if (isTooLate || (loadShedder && turn.taken >= most && !isLight)) return false;
      turn.taken += 1;
      window.taken += 1;
      shares.take();
      return true;
    },
    acquire(key = '') {
      const own = inFlight.get(key) ?? 0;
      if (own >= (loadShedder ? inWorkAtOnce : maxInFlight)) {
        isFull = true;
        window.taken -= 1;
        return false;
      }
      inFlight.set(key, own + 1);
      allInWork += 1;
      return true;
    },
    release(key = '') {
      const own = inFlight.get(key) ?? 0;
      if (own > 1) inFlight.set(key, own - 1);
      else inFlight.delete(key);
      allInWork -= 1;
    },
    isOverloaded: () => loadShedder !== undefined,
  };
}
