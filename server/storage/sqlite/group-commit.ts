import { AsyncLocalStorage } from 'node:async_hooks';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { asTransaction, type Database, type Store, type Transaction } from '../store.ts';

// Maximum pause between attempts to take the lock. It is short because another process that takes the lock repeatedly
// leaves only short gaps, and an attempt takes only a few microseconds.
const maxPauseMs = 5;

/** Settles the promise of a caller. */
type Settle = () => void;

interface Job {
  run: () => Promise<Settle>;
  fail: (error: unknown) => void;
  /** When the caller stops waiting for another process's lock; a value of `performance.now()`. */
  deadline: number;
}

/** Can prevent a batch from being committed. */
export interface CommitGuard {
  /** Called before each commit. @throws Error to prevent the commit; all callers of the batch get this error */
  refuse(): void;
  /** Called with each error that a job throws. */
  notice(error: unknown): void;
}

/** Maximum number of writes per commit. */
const maxBatchSize = 500;

export interface GroupCommitOptions {
  /** How long to wait for another process's lock, in milliseconds. */
  lockWaitMs: number;
  isLocked: (error: unknown) => boolean;
  guard?: CommitGuard;
}

/**
 * Makes concurrent writes share one commit, because a commit waits for the disk. No caller's promise resolves before
 * the commit. If a write fails, all writes of the batch run again, each in its own savepoint, which isolates the
 * failure. The first run has no such savepoints, because each one makes SQLite write the search index.
 */
export function groupCommit(
  raw: DatabaseSync,
  db: Database,
  { lockWaitMs, isLocked, guard }: GroupCommitOptions,
): {
  write: Store['write'];
  /** Runs the queued writes, without waiting for other processes' locks. */
  finish: () => Promise<void>;
  /** Returns the number of waiting writes. */
  waiting: () => number;
} {
  const queue: Job[] = [];
  let draining: Promise<void> | undefined;
  let closing = false;

  function write<T>(work: (db: Transaction) => Promise<T>): Promise<T> {
    // The batch belongs to another request, whose trace must not be taken for that of this write.
    const inOwnContext = AsyncLocalStorage.bind(work);
    return new Promise<T>((resolve, fail) => {
      const run = async () => {
        const result = await inOwnContext(asTransaction(db));
        return () => resolve(result);
      };
      queue.push({ run, fail, deadline: performance.now() + lockWaitMs });
      draining ??= drain();
    });
  }

  async function drain(): Promise<void> {
    // Writes of the same turn of the event loop share the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await commitBatch();
    // Reset in the same turn of the event loop as the last check of the queue, so that a later write calls `drain`.
    draining = undefined;
  }

  async function commitBatch(): Promise<void> {
    const batch: Job[] = [];
    const done: Settle[] = [];
    try {
      await begin();
      if (!(await runTogether(batch, done))) await runApart(batch, done);
      guard?.refuse();
      raw.exec('COMMIT');
    } catch (error) {
      rollBack();
      // If no transaction could begin, no write has run. Then only the writes whose deadline has passed fail.
      const failed = batch.length > 0 ? batch : overdue();
      for (const job of failed) job.fail(error);
      return;
    }
    for (const settle of done) settle();
  }

  /**
   * Runs the queued writes, including those that arrive meanwhile, and adds them to the batch.
   * @returns false if a write failed: the batch is rolled back, but the transaction still holds the lock
   */
  async function runTogether(batch: Job[], done: Settle[]): Promise<boolean> {
    raw.exec('SAVEPOINT batch');
    try {
      for (let job = queue.shift(); job; job = batch.length < maxBatchSize ? queue.shift() : undefined) {
        batch.push(job);
        done.push(await job.run());
      }
      return true;
    } catch (error) {
      guard?.notice(error);
      // On a full disk, SQLite may have rolled back the whole transaction, so the savepoint no longer exists.
      if (!raw.isTransaction) throw error;
      raw.exec('ROLLBACK TO batch');
      done.length = 0;
      return false;
    }
  }

  /** Runs each job in its own savepoint. */
  async function runApart(batch: readonly Job[], done: Settle[]): Promise<void> {
    for (const job of batch) {
      const settle = await runInSavepoint(job);
      if (settle) done.push(settle);
    }
  }

  /**
   * Rolls back the transaction of a failed batch, so that later batches are not affected. An error of the rollback is
   * ignored, because the callers of the writes get the original error.
   */
  function rollBack(): void {
    try {
      if (raw.isTransaction) raw.exec('ROLLBACK');
    } catch {}
  }

  /** A job that throws loses only its own changes. */
  async function runInSavepoint(job: Job): Promise<Settle | undefined> {
    raw.exec('SAVEPOINT job');
    try {
      const settle = await job.run();
      raw.exec('RELEASE job');
      return settle;
    } catch (error) {
      guard?.notice(error);
      // On a full disk, SQLite may have rolled back the whole transaction, so the savepoint no longer exists.
      if (!raw.isTransaction) throw error;
      raw.exec('ROLLBACK TO job; RELEASE job');
      job.fail(error);
      return undefined;
    }
  }

  function overdue(): Job[] {
    const now = performance.now();
    const late = queue.filter(({ deadline }, index) => index === 0 || closing || deadline <= now);
    queue.splice(0, queue.length, ...queue.filter((job) => !late.includes(job)));
    return late;
  }

  /** Begins a transaction, and retries while it is locked. SQLite's own wait for a lock would block the process. */
  async function begin(): Promise<void> {
    for (let pause = 1; ; pause = Math.min(pause * 2, maxPauseMs)) {
      try {
        return raw.exec('BEGIN IMMEDIATE');
      } catch (error) {
        const deadline = queue[0]?.deadline ?? 0;
        if (!isLocked(error) || closing || performance.now() + pause > deadline) throw error;
      }
      await wait(pause);
    }
  }

  async function finish(): Promise<void> {
    closing = true;
    await draining;
  }

  return { write, finish, waiting: () => queue.length };
}
