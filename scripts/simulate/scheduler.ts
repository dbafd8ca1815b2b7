import { DatabaseSync } from 'node:sqlite';
import type { Prng } from '../lib/prng.ts';

type Work = () => void;

/** A process or a client. Its tasks run one at a time, in order; between two of them, any other actor may run. */
export interface Actor {
  name: string;
  /** Results of queries. While some are outstanding, the process is in the middle of a task, and begins no other. */
  queries: Work[];
  outstanding: number;
  tasks: Work[];
  isAlive: boolean;
  /** Whether it stops, or has stopped. */
  isStopping: boolean;
  /** Whether it checks a claim. */
  isChecking: boolean;
  /** Whether its commits fail, as on a full disk. */
  hasFullDisk: boolean;
  /** The actor runs nothing before this time, in milliseconds of the simulation. */
  stalledUntil: number;
  /** For how long the actor is suspended at its next query, in milliseconds. */
  stallAtQueryMs: number;
}

/** Work of an actor at a time of the simulation. */
export interface Timer {
  /** Milliseconds since the start of the simulation. */
  at: number;
  actor: Actor;
  work: Work;
  isCanceled: boolean;
}

/** Tasks in one turn of the event loop. Microtasks run between two of them. */
const stepsPerTurn = 64;

/** The time of one task, in milliseconds: a random part of this. */
const maxTaskMs = 0.2;

export type Scheduler = ReturnType<typeof createScheduler>;

/**
 * Creates the scheduler of a simulation. It owns the time, and decides which actor runs next.
 * @param prng decides; the same numbers give the same order
 * @param queryPointShare from 0 to 1: the share of queries after which other actors may run
 */
export function createScheduler(prng: Prng, queryPointShare: number) {
  const actors: Actor[] = [];
  /** Those that come first are at the end. */
  const timers: Timer[] = [];
  let time = 0;
  /** Milliseconds between the clock of the machine and `time`. */
  let clockOffset = Date.UTC(2026, 0, 1);
  let current: Actor | undefined;
  let last: Actor | undefined;
  let steps = 0;
  let lastStallEnd = Number.NEGATIVE_INFINITY;

  function addActor(name: string): Actor {
    const actor: Actor = {
      ...{ name, queries: [], outstanding: 0, tasks: [] },
      ...{ isAlive: true, isStopping: false, isChecking: false, hasFullDisk: false },
      stalledUntil: Number.NEGATIVE_INFINITY,
      stallAtQueryMs: 0,
    };
    actors.push(actor);
    return actor;
  }

  const hasWork = ({ queries, outstanding, tasks, stalledUntil }: Actor): boolean =>
    stalledUntil <= time && (queries.length > 0 || (outstanding === 0 && tasks.length > 0));

  function addTimer(timer: Timer): void {
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((timers[middle]?.at ?? 0) > timer.at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
  }

  function moveDueTimers(): void {
    for (let timer = timers.at(-1); timer && timer.at <= time; timer = timers.at(-1)) {
      timers.pop();
      const { actor, work } = timer;
      if (actor.isAlive && !timer.isCanceled)
        actor.tasks.push(() => {
          if (!timer.isCanceled) work();
        });
    }
  }

  /** Chooses the actor that runs next. It is often the same one, as a real process runs for a while. */
  function chooseActor(): Actor | undefined {
    moveDueTimers();
    let ready = actors.filter(hasWork);
    while (ready.length === 0) {
      const timer = timers.at(-1);
      if (!timer) return undefined;
      time = Math.max(time, timer.at);
      moveDueTimers();
      ready = actors.filter(hasWork);
    }
    if (last && ready.length > 1 && ready.includes(last) && prng.next() < 0.4) return last;
    return prng.oneOf(ready);
  }

  /** @returns whether there was anything to run */
  function step(): boolean {
    const actor = chooseActor();
    const work = actor?.queries.shift() ?? actor?.tasks.shift();
    if (!actor || !work) return false;
    last = actor;
    current = actor;
    steps += 1;
    time += prng.next() * maxTaskMs;
    work();
    return true;
  }

  function run(actor: Actor, work: Work): void {
    if (actor.isAlive) actor.tasks.push(work);
  }

  /** Suspends an actor. @param ms milliseconds */
  function stall(actor: Actor, ms: number): void {
    actor.stalledUntil = time + ms;
    lastStallEnd = Math.max(lastStallEnd, actor.stalledUntil);
    addTimer({ at: actor.stalledUntil, actor, work: () => {}, isCanceled: false });
  }

  return {
    addActor,
    /** The actor whose task runs now, microtasks included. */
    current: (): Actor | undefined => current,
    /** Milliseconds since the start of the simulation. */
    time: (): number => time,
    /** Milliseconds since 1970, as the clock of the machine shows them. */
    clock: (): number => Math.floor(clockOffset + time),
    /** Sets the clock of the machine forward, or back. @param ms milliseconds */
    moveClock(ms: number): void {
      clockOffset += ms;
    },
    random: prng,
    /** Adds a task to an actor. */
    run,
    /** Starts work in a task of an actor. */
    start: <T>(actor: Actor, work: () => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => run(actor, () => void work().then(resolve, reject))),
    /** Adds a task to an actor after a time in milliseconds. */
    runIn(actor: Actor, ms: number, work: Work): Timer {
      const timer = { at: time + Math.max(0, ms), actor, work, isCanceled: false };
      addTimer(timer);
      return timer;
    },
    /** Lets other actors run after a query of the current one. */
    async pause(): Promise<void> {
      const actor = current;
      if (!actor || (prng.next() >= queryPointShare && actor.stallAtQueryMs === 0)) return;
      if (actor.stallAtQueryMs > 0) stall(actor, actor.stallAtQueryMs);
      actor.stallAtQueryMs = 0;
      actor.outstanding += 1;
      await new Promise<void>((resolve) => {
        actor.queries.push(() => {
          actor.outstanding -= 1;
          resolve();
        });
      });
    },
    /** Ends an actor between two tasks: nothing of it runs any more. */
    kill(actor: Actor): void {
      actor.isAlive = false;
      actor.tasks = [];
      actor.queries = [];
    },
    stall,
    /** The latest end of a suspension. */
    lastStallEnd: (): number => lastStallEnd,
    /** The number of tasks that have run. */
    steps: (): number => steps,
    /** Runs tasks until a condition holds, or nothing is left. @throws what a task throws */
    async drive(isDone: () => boolean): Promise<void> {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let hasEnded = false;
      const next = () => {
        if (hasEnded) return;
        current = undefined;
        try {
          hasEnded = isDone() || !step();
        } catch (error) {
          hasEnded = true;
          reject(error);
        }
        if (hasEnded) resolve();
      };
      const turn = () => {
        for (let count = 0; count < stepsPerTurn; count += 1) real.setImmediate(next);
        if (!hasEnded) real.setImmediate(turn);
      };
      turn();
      await promise;
      current = undefined;
    },
  };
}

/** Functions of Node that simulations replace. This module is loaded before. */
export const real = {
  Date,
  execute: DatabaseSync.prototype.exec,
  setImmediate,
  /** Milliseconds of real time. */
  now: performance.now.bind(performance),
};
