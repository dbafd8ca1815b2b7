import { performance as hooks } from 'node:perf_hooks';
import { createFairShares } from './fair-share.ts';

/*
 * When more comes than can be answered, everything waits for everything else, and in the end nothing is answered in
 * time. So a part is turned away at once, for a fraction of what an answer costs, and the rest is answered as on a quiet
 * day. How much is waiting is seen at the event loop, where whatever came while it was busy is handed over in one turn, and
 * at the requests that are in work, where the database is what they wait for.
 */

export interface LoadShedder {
  /**
   * Told of each request as it arrives.
   * @param key shares what there is with the others, where that is known
   * @returns false where it is to be turned away
   */
  admit(key: string | undefined): boolean;
  /**
   * Told when work on a request begins that was let in and has arrived whole: what waits for a slow sender, or for the
   * turn of others, is no work yet. Each that was let begin is told of by `end`.
   * @returns false where it is to be turned away
   */
  acquire(key: string | undefined): boolean;
  release(key: string | undefined): void;
  /** Whether a part is turned away. */
  isOverloaded(): boolean;
}

export interface LoadShedderOptions {
  /** Milliseconds. */
  now?: () => number;
  /** Has something done when a turn of the event loop has ended. */
  afterEventLoopTurn?: (work: () => void) => void;
  /** How long the event loop has worked, in milliseconds, since any moment. */
  worked?: () => number;
}

/** So many at once are no crowd: they are answered one after the other. */
const room = 64;
/** For how long, in milliseconds, more must have come in each turn after one that had too much: one burst is no crowd. */
const patienceMs = 20;
/**
 * After so many milliseconds of one turn that had more than there is room for, nobody else of it is let in, crowd or not: he
 * has waited too long already. Where one request alone takes longer, those behind it are not refused for that.
 */
const maxTurnMs = 100;
/** How many are let in for each turn of a crowd. */
const inTurn = 4;
/**
 * And where somebody else asks for little: whatever is in a turn, he waits for. So fewer are answered in all, as more of the
 * time goes into turning others away.
 */
const inTurnBesideOthers = 1;
/** For how long, in milliseconds, after his last request he counts as there. */
const besideMs = 1_000;
/**
 * How many of one caller are in work at once while there is a crowd: more than a database has hands, so that none of them
 * is idle. Others are not counted: some of them may only wait, for a name server say.
 */
const inWorkAtOnce = 16;
/** And when there is no crowd. */
const maxInFlight = 256;
/** For how long, in milliseconds, more must be in work than there is room for: a token may send 200 at once (D33). */
const workPatienceMs = 100;
/** Over how long is counted, in milliseconds, what comes and who sends it. */
const windowMs = 100;
/** For how long, in milliseconds, there must have been less than could be answered, before everything is let in again. */
const calmMs = 500;
/** Less than everything, as what comes is never spread evenly. */
const bearable = 0.8;
/** How few requests cannot tell what one costs. */
const fewest = 20;
/** Over how long it is learnt in a crowd, in milliseconds: what is let in in one window may be worked on in the next. */
const learnMs = 1_000;

const loopWorked = () => hooks.eventLoopUtilization().active;

export function createLoadShedder(options: LoadShedderOptions = {}): LoadShedder {
  const { now = () => performance.now(), afterEventLoopTurn = setImmediate, worked = loopWorked } = options;
  let turn: { began: number; arrived: number; taken: number } | undefined;
  let window = beginWindow();
  let shares = createFairShares();
  /** When the first of the turns ended that all had more than there is room for. */
  let deepSince: number | undefined;
  /** Since when more was in work than there is room for, as far as was seen at the ends of turns. */
  let fullSince: number | undefined;
  let loadShedder: { calmSince: number | undefined; seen: typeof window } | undefined;
  const inFlight = new Map<string, number>();
  let allInWork = 0;
  let lastTurnEnded = now();
  let lastLight = Number.NEGATIVE_INFINITY;
  /** Whether, in this window, some were turned away because of what is in work. */
  let isFull = false;
  /** Milliseconds of work for one request; nobody knows at first. */
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
      // Turning others away is a part of this: so much it is at most, and no less than that where few are turned away.
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
        // Whatever there was before has been worked off.
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
