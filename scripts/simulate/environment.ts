import crypto from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DatabaseSync } from 'node:sqlite';
import timersPromises from 'node:timers/promises';
import { withoutLocks } from '../../server/storage/sqlite/sqlite-store.ts';
import { type Actor, real, type Scheduler, type Timer } from './scheduler.ts';
import { recordViolation, violate } from './violation.ts';

/** The simulation that runs now. */
let scheduler: Scheduler | undefined;
/** The processes of open connections. */
const connections = new Map<DatabaseSync, Actor>();
/** Connections that write. */
const writers = new WeakSet<DatabaseSync>();

const running = (): Scheduler => {
  if (!scheduler) throw new Error('No simulation runs.');
  return scheduler;
};

/** Returns the actor that runs now. @throws Error outside of its tasks */
function currentActor(): Actor {
  const actor = running().current();
  if (!actor) throw new Error('A timer was set outside of a task of the simulation.');
  return actor;
}

const startTimer = (work: () => void, ms = 0): Timer =>
  running().runIn(currentActor(), Math.max(1, ms), work);

function stopTimer(timer?: Timer): void {
  if (timer) timer.isCanceled = true;
}

/** A busy process notices late that a pause is over, by a random part of this, in milliseconds. */
const maxLatenessMs = 20;

const wait = (ms: number, value?: unknown, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = startTimer(() => resolve(value), ms + running().random.next() * maxLatenessMs);
    signal?.addEventListener('abort', () => {
      stopTimer(timer);
      reject(signal.reason);
    });
  });

class SimulatedDate extends Date {
  constructor(given: string | number | Date = now()) {
    super(given);
  }
  static override now = (): number => now();
}

const now = (): number => scheduler?.clock() ?? real.Date.now();

const bytes = (size: number): Buffer =>
  Buffer.from(Array.from({ length: size }, () => running().random.below(256)));

/** Notes which process a connection belongs to, and makes its commits fail on a full disk. */
function execute(this: DatabaseSync, sql: string): void {
  const actor = scheduler?.current();
  if (actor) connections.set(this, actor);
  if (sql === 'BEGIN IMMEDIATE') writers.add(this);
  // The end of a transaction that only reads needs no space.
  if (sql === 'COMMIT' && actor?.hasFullDisk && writers.has(this))
    throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
  if (sql === 'COMMIT' && powerFailure && writers.has(this)) commitPartly(this, powerFailure);
  real.execute.call(this, sql);
}

/** The content of a database and of its write-ahead log. */
export type DiskContent = [database: Buffer, log: Buffer];

/** Called with what is left if the power fails. */
let powerFailure: ((left: DiskContent) => void) | undefined;

/** Makes the power fail during the next commit: all processes end. @returns what is left on the disk */
export const failPower = (): Promise<DiskContent> =>
  new Promise((resolve) => {
    powerFailure = resolve;
  });

/** Commits, but only a random part of what is not synced reaches the disk. @throws Error always: no process sees the commit */
function commitPartly(connection: DatabaseSync, onFailure: (left: DiskContent) => void): never {
  powerFailure = undefined;
  const file = connection.location() ?? '';
  const database = readFileSync(file);
  // A setting of FULL syncs the log with each commit; less does not.
  const isSynced = connection.prepare('PRAGMA synchronous').get()?.synchronous === 2;
  const synced = isSynced ? statSync(`${file}-wal`).size : 0;
  real.execute.call(connection, 'COMMIT');
  const log = readFileSync(`${file}-wal`);
  for (const actor of connections.values()) running().kill(actor);
  onFailure([database, log.subarray(0, synced + running().random.below(log.length - synced + 1))]);
  throw new Error('The power has failed.');
}

/** Replaces what Node offers of time, timers, random numbers and databases. Call it once, before modules of the service are used. */
export function installEnvironment(): void {
  const globals = {
    Date: SimulatedDate,
    setTimeout: startTimer,
    // Nothing that simulations run repeats work in intervals.
    setInterval: () => violate('nothing leaves the simulation', 'The service called setInterval.'),
    setImmediate: (work: () => void) => {
      const actor = currentActor();
      running().run(actor, work);
    },
    fetch: () => violate('nothing leaves the simulation', 'The service called fetch.'),
    clearTimeout: stopTimer,
    clearImmediate: stopTimer,
  };
  Object.assign(globalThis, globals);
  Object.assign(timersPromises, {
    setTimeout: wait,
    setImmediate: () => new Promise<void>((resolve) => running().run(currentActor(), () => resolve())),
  });
  Object.defineProperty(performance, 'now', { value: () => scheduler?.time() ?? real.now() });
  Object.assign(Math, { random: () => running().random.next() });
  Object.assign(crypto, {
    randomBytes: bytes,
    randomInt: (max: number) => running().random.below(max),
    randomUUID: () => bytes(16).toString('hex'),
  });
  // Each connection of the service begins with a PRAGMA. `node:sqlite` does not export a class that replaces its own.
  Object.assign(DatabaseSync.prototype, { exec: execute });
  syncBuiltinESMExports();
  process.on('unhandledRejection', (error) => {
    const [at = 'an unknown line'] =
      /server\/\S+:\d+/.exec(error instanceof Error ? (error.stack ?? '') : '') ?? [];
    recordViolation('every error is handled', `Nothing handled "${String(error)}" of ${at}.`);
  });
  Object.assign(withoutLocks, {
    async transformResult({ result }: { result: unknown }) {
      await scheduler?.pause();
      return result;
    },
  });
}

/** Makes a scheduler the source of time, timers and random numbers, or none. */
export function useScheduler(next: Scheduler | undefined): void {
  scheduler = next;
  if (next) return;
  for (const each of connections.keys()) if (each.isOpen) each.close();
  connections.clear();
  powerFailure = undefined;
}

/** Kills a process: its tasks never run again, and its connections close without a commit. */
export function killProcess(actor: Actor): void {
  running().kill(actor);
  for (const [connection, owner] of connections)
    if (owner === actor) {
      if (connection.isOpen) connection.close();
      connections.delete(connection);
    }
}
