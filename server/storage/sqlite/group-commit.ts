import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database, Store } from '../store.ts';

// A try costs some microseconds. Whoever holds the lock again and again leaves gaps that are not much longer.
const maxPauseMs = 5;

/** Tells a caller what his work has come to. */
type Settle = () => void;

interface Job {
  run: () => Promise<Settle>;
  fail: (error: unknown) => void;
  /** When its caller has waited long enough for another program's lock, as `performance.now()` counts. */
  deadline: number;
}

/** What may keep a batch from being committed, whatever its own work has come to. */
export interface CommitGuard {
  /** @throws what everybody is to be told instead */
  refuse(): void;
  /** Told of what a job has thrown. */
  notice(error: unknown): void;
}

export interface GroupCommitOptions {
  /** How long to wait for another program's lock. */
  lockWaitMs: number;
  isLocked: (error: unknown) => boolean;
  /** How many share a commit. A batch that never ended would keep its callers waiting for ever. */
  maxBatchSize?: number | undefined;
  guard?: CommitGuard;
}

/**
 * Waiting for the disk is what makes a commit slow, so concurrent writes share one, and no caller hears of success
 * before it. Where one of them fails, all are begun anew, each behind a savepoint, which keeps its failure to itself:
 * most never fail, and at every savepoint the index of the search would be written.
 */
export function groupCommit(
  raw: DatabaseSync,
  db: Database,
  { lockWaitMs, isLocked, maxBatchSize = 500, guard }: GroupCommitOptions,
): {
  write: Store['write'];
  /** Does what is waiting, but waits for nobody else's lock any more. */
  finish: () => Promise<void>;
  /** How many wait for their turn. */
  waiting: () => number;
} {
  const queue: Job[] = [];
  let draining: Promise<void> | undefined;
  let closing = false;

  function write<T>(work: (db: Database) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, fail) => {
      const run = async () => {
        const result = await work(db);
        return () => resolve(result);
      };
      queue.push({ run, fail, deadline: performance.now() + lockWaitMs });
      draining ??= drain();
    });
  }

  async function drain(): Promise<void> {
    // What arrives in the same turn of the event loop shares the commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (queue.length > 0) await commitBatch();
    // In the same turn as the last look at the queue: what comes later finds nobody and starts anew.
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
      // Without a transaction nothing was tried: whoever has waited long enough is told, the others go on waiting.
      const failed = batch.length > 0 ? batch : overdue();
      for (const job of failed) job.fail(error);
      return;
    }
    for (const settle of done) settle();
  }

  /**
   * Runs what waits, and what comes meanwhile.
   * @param batch what was taken
   * @returns false where one has failed: then nothing of any of them stays, and the lock is still held
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
      // A full disk may have ended the whole transaction already: that is nobody's own failure.
      if (!raw.isTransaction) throw error;
      raw.exec('ROLLBACK TO batch');
      done.length = 0;
      return false;
    }
  }

  /** Each behind a savepoint of its own. */
  async function runApart(batch: readonly Job[], done: Settle[]): Promise<void> {
    for (const job of batch) {
      const settle = await runInSavepoint(job);
      if (settle) done.push(settle);
    }
  }

  /** Whatever is wrong with the database, those who wait are told, and the next get their try. */
  function rollBack(): void {
    try {
      if (raw.isTransaction) raw.exec('ROLLBACK');
    } catch {}
  }

  /** A job that throws loses its own work and nobody else's. */
  async function runInSavepoint(job: Job): Promise<Settle | undefined> {
    raw.exec('SAVEPOINT job');
    try {
      const settle = await job.run();
      raw.exec('RELEASE job');
      return settle;
    } catch (error) {
      guard?.notice(error);
      // A full disk may have ended the whole transaction already.
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

  /** SQLite's own way of waiting for a lock stops the whole process; this one lets others work. */
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
