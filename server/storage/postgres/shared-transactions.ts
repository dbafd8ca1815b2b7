import { AsyncLocalStorage } from 'node:async_hooks';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type { Schema } from '../schema.ts';
import { asTransaction, type Database, type Transaction, type WriteGroup } from '../store.ts';
import { isServerError, WriteConflict } from './errors.ts';

/** A waiting write. */
interface Job {
  group: WriteGroup;
  work: (db: Transaction) => Promise<unknown>;
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Queue {
  jobs: Job[];
  /** Calls `gathered` as soon as this many writes wait. */
  expected: number;
  gathered: () => void;
}

export interface SharedTransactionsOptions {
  pool: Pick<PostgresPool, 'connect'>;
  /** Waits for the turn of a company, then runs the work. */
  inTurn: <T>(company: number, work: () => Promise<T>) => Promise<T>;
  /** Runs one write in its own transaction. */
  writeAlone: (work: Job['work'], company: number) => Promise<unknown>;
}

// Limits how long a transaction holds its locks.
const maxSize = 100;

/**
 * After a shared transaction, its callers are likely to write again. The next one waits for them, for this share of the
 * time that the last one took.
 */
const gatherShare = 0.4;
const maxGatherMs = 10;

/**
 * Makes the waiting writes of a company and group share a transaction. They take the locks once, commit once, and send
 * their statements without waiting for each other, so a distant database costs one round trip per step, not per write.
 * If a write fails, the transaction is rolled back; that write then runs alone, and the others together.
 */
export function createSharedTransactions({ pool, inTurn, writeAlone }: SharedTransactionsOptions) {
  const queues = new Map<string, Queue>();
  const handles = new WeakMap<PostgresPoolClient, Database>();

  function write<T>(work: (db: Transaction) => Promise<T>, company: number, group: WriteGroup): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    // Another request runs the transaction, whose trace must not be taken for that of this write.
    const inOwnContext = AsyncLocalStorage.bind(work);
    const job = { group, work: inOwnContext, reject, resolve: (result: unknown) => resolve(result as T) };
    const name = `${company} ${group.name}`;
    const queue = queues.get(name);
    if (!queue) void drain(name, company, job);
    else if (queue.jobs.push(job) >= queue.expected) queue.gathered();
    return promise;
  }

  async function drain(name: string, company: number, first: Job): Promise<void> {
    const queue: Queue = { jobs: [first], expected: 1, gathered: () => {} };
    queues.set(name, queue);
    do {
      const jobs = queue.jobs.splice(0, maxSize);
      const startedAt = performance.now();
      await run(jobs, company);
      if (jobs.length > 1) await gather(queue, jobs.length, performance.now() - startedAt);
    } while (queue.jobs.length > 0);
    queues.delete(name);
  }

  /** Waits briefly for the callers of the last transaction, in addition to the writes that wait already. */
  async function gather(queue: Queue, callers: number, lastMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, Math.min(maxGatherMs, lastMs * gatherShare));
    queue.expected = Math.min(maxSize, queue.jobs.length + callers);
    queue.gathered = resolve;
    await promise;
    clearTimeout(timer);
    queue.gathered = () => {};
  }

  /** Runs writes to the end. Never rejects: each job gets its own result or error. */
  async function run(jobs: readonly Job[], company: number): Promise<void> {
    if (jobs.length === 0) return;
    try {
      const failed = await inTurn(company, () => runTogether(jobs));
      await Promise.all(failed.map((job) => settleAlone(job, company)));
      if (failed.length > 0)
        await run(
          jobs.filter((job) => !failed.includes(job)),
          company,
        );
    } catch (error) {
      if (error instanceof WriteConflict) await Promise.all(jobs.map((job) => settleAlone(job, company)));
      else for (const job of jobs) job.reject(error);
    }
  }

  const settleAlone = ({ group, work, resolve, reject }: Job, company: number): Promise<void> =>
    writeAlone(async (db) => {
      await group.lock(db, subjectsOf([group]));
      return work(db);
    }, company).then(resolve, reject);

  /**
   * Runs writes in one transaction.
   * @returns the writes that failed; then the transaction was rolled back. Empty: it was committed, and all are resolved
   * @throws Error if the locks cannot be taken, or the commit fails
   */
  async function runTogether(jobs: readonly Job[]): Promise<readonly Job[]> {
    const client = await pool.connect();
    try {
      const db = asTransaction(handleOf(client));
      // Nothing waits for the responses to these statements: the connection runs the statements in order.
      const locked = Promise.all([
        client.query('start transaction isolation level read committed', []),
        jobs[0]?.group.lock(db, subjectsOf(jobs.map(({ group }) => group))),
      ]);
      const [locking, ...outcomes] = await Promise.allSettled([locked, ...started(jobs, db)]);
      if (locking.status === 'rejected') {
        await client.query('rollback', []);
        throw locking.reason;
      }
      const failed = jobs.filter((_, at) => isCause(outcomes[at]));
      if (failed.length > 0 || outcomes.some(({ status }) => status === 'rejected')) {
        await client.query('rollback', []);
        return failed.length > 0 ? failed : jobs;
      }
      const { command } = await client.query('commit', []);
      if (command !== 'COMMIT') throw new Error('PostgreSQL rolled the transaction back.');
      for (const [at, outcome] of outcomes.entries())
        if (outcome.status === 'fulfilled') jobs[at]?.resolve(outcome.value);
      return [];
    } finally {
      client.release();
    }
  }

  /** Returns the handle of a connection. Unlike a transaction of Kysely, it does not wait for earlier statements. */
  function handleOf(client: PostgresPoolClient): Database {
    const known = handles.get(client);
    if (known) return known;
    const only = { query: client.query, release: () => {} };
    const dialect = new PostgresDialect({
      pool: { options: {}, connect: async () => only, end: async () => {} },
    });
    const db = new Kysely<Schema>({ dialect });
    handles.set(client, db);
    return db;
  }

  return { write, waiting: () => queues.values().reduce((sum, { jobs }) => sum + jobs.length, 0) };
}

const subjectsOf = (groups: readonly WriteGroup[]): number[] => [
  ...new Set(groups.flatMap(({ subject }) => subject ?? [])),
];

/** Starts the writes: those about one subject one after another, the others concurrently. */
function started(jobs: readonly Job[], db: Transaction): Promise<unknown>[] {
  const lastOf = new Map<number, Promise<unknown>>();
  return jobs.map(({ work, group: { subject } }) => {
    const before = subject === undefined ? undefined : lastOf.get(subject);
    const mine = before ? before.then(() => work(db)) : work(db);
    if (subject !== undefined) lastOf.set(subject, mine);
    return mine;
  });
}

// The state of a transaction in which an earlier statement has failed.
const transactionAborted = '25P02';

/** Whether a write failed by itself, and not because another write of the transaction had failed. */
const isCause = (outcome: PromiseSettledResult<unknown> | undefined): boolean =>
  outcome?.status === 'rejected' &&
  !(isServerError(outcome.reason) && outcome.reason.code === transactionAborted);
