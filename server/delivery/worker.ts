import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Secrets } from '../security/secrets/encryption.ts';
import {
  hasDueDeliveries,
  listRevoked,
  recordOutcomes,
  releaseLeases,
  renewLeases,
  repairFutureDates,
} from '../storage/queries/delivery-queue.ts';
import { formatDeliveryKey, maxRenewalMs, type WebhookKey } from '../storage/queue-types.ts';
import { type Database, type Store, UniqueViolation } from '../storage/store.ts';
import type { Attempt } from './attempt.ts';
import { claim } from './claim.ts';
import { createDeliveryDispatcher, type DeliveryLimits } from './dispatcher.ts';
import { createRoundRobin } from './fair-shares.ts';
import { maxRetryDelayMs } from './outcome.ts';
import {
  type AttemptRecord,
  type CompletedAttempt,
  createAttemptRecorder,
  unsentUpdate,
} from './record-attempt.ts';
import { createClaimCheck, createDeliverySender } from './send-delivery.ts';
import { settleDeliveries } from './settle-deliveries.ts';
import { createWakeup } from './wakeup.ts';
import type { WebhookRequest } from './webhook-request.ts';

export interface WorkerOptions {
  store: Store;
  secrets: Secrets;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Returns a number from 0 to 1. */
  random?: () => number;
  /** Makes a request. It never throws, and ends immediately if the signal aborts. */
  send: (request: WebhookRequest, signal: AbortSignal) => Promise<Attempt>;
  limits: DeliveryLimits;
  /** Duration of a claimed delivery's lease, in milliseconds. */
  leaseMs: number;
  /** Interval in which due deliveries are looked for, in milliseconds. */
  pollMs: number;
  /** Timeout for requests in flight after `stop`, in milliseconds. */
  shutdownTimeoutMs?: number;
  onAttempt: (record: AttemptRecord) => void;
  /** Called for database errors; the worker continues. */
  onError: (error: unknown) => void;
}

export interface Worker {
  /** Claims due deliveries now. */
  wake: () => void;
  /** Waits for requests in flight, and returns the other deliveries to the queue. Further calls wait for the same. */
  stop: () => Promise<void>;
}

// Maximum number of outcomes stored in one transaction, and maximum delay of a batch in milliseconds.
const maxBatch = 256;
const batchDelayMs = 50;

// Interval at which due times are checked, because they may have been set while a clock was ahead. They are also checked
// when the clock was set back by more than this. In milliseconds.
const dateCheckMs = 60_000;

// Pause after a database error, in milliseconds.
const faultPauseMs = 1_000;

/**
 * Starts a worker, which repeats four steps until it is stopped: claim due deliveries, dispatch them as its limits
 * allow, send them, and record their outcomes. Any number of workers in any number of processes share a queue. A
 * claimed delivery belongs to its worker until the lease ends.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { store, secrets, now, send, limits, leaseMs, pollMs, onAttempt, onError } = options;
  const { random = Math.random, shutdownTimeoutMs = 10_000 } = options;
  const name = randomUUID();
  const shutdown = new AbortController();
  const { signal } = shutdown;
  const wakeup = createWakeup();
  const roundRobin = createRoundRobin();
  const recordAttempt = createAttemptRecorder({
    store,
    worker: name,
    now,
    random,
    shutdown: signal,
    onError,
  });
  const dispatcher = createDeliveryDispatcher({
    limits,
    send: createDeliverySender({
      ...{ secrets, now, send, signal },
      isStillClaimed: createClaimCheck(store, name, Math.min(leaseMs / 2, maxRenewalMs)),
    }),
    async record(claimed, result) {
      const { toStore, record } = await recordAttempt(claimed, result).catch((error: unknown) => {
        onError(error);
        return { toStore: undefined, record: undefined };
      });
      if (toStore) completed.push(toStore);
      else dispatcher.forget(claimed.delivery);
      if (record) onAttempt(record);
      // Outcomes are stored in batches, unless no other request is in flight.
      if (completed.length >= maxBatch || dispatcher.inFlight() <= 1) wakeup.give();
      else wakeup.giveIn(batchDelayMs);
    },
    release(unsent) {
      completed.push(...unsent.map((claimed) => ({ row: unsentUpdate(claimed) })));
      wakeup.giveIn(batchDelayMs);
    },
  });
  /** Outcomes that are not stored yet. */
  let completed: CompletedAttempt[] = [];
  /** The earliest expiry of the leases that this worker holds. */
  let leasesEnd = 0;
  let datesCheckedAt = Number.NEGATIVE_INFINITY;
  let settling: Promise<void> | undefined;
  let settledAt = Number.NEGATIVE_INFINITY;
  let stopping = false;

  /**
   * Stores outcomes, renews leases and claims due deliveries in one transaction.
   * @returns whether it should be called again immediately
   */
  async function storeAndClaim(): Promise<boolean> {
    const startedAt = now();
    if (Math.abs(startedAt - datesCheckedAt) >= dateCheckMs) {
      const latest = { now: startedAt, leaseMs, maxDelayMs: maxRetryDelayMs };
      await store.write((db) => repairFutureDates(db, latest));
      datesCheckedAt = startedAt;
    }
    // Otherwise no lease would be renewed until a clock that was set back is as far again.
    leasesEnd = Math.min(leasesEnd, startedAt + leaseMs);
    const limit = stopping ? 0 : dispatcher.free();
    const hasClaimed = dispatcher.claimedKeys().length > 0;
    const mustRenew = hasClaimed && now() >= leasesEnd - leaseMs + Math.min(leaseMs / 2, maxRenewalMs);
    if (completed.length === 0 && !mustRenew) {
      if (limit <= 0 || !(await store.read((db) => hasDueDeliveries(db, now())))) return false;
    }
    const batch = completed;
    completed = [];
    const done = await store
      .write((db) => commit(db, batch, { limit, mustRenew }))
      .catch((error: unknown) => {
        completed = [...batch, ...completed];
        // Another worker claimed a delivery about the same entity first.
        if (error instanceof UniqueViolation) return undefined;
        throw error;
      });
    if (!done) return true;
    const { stored, claims, until, revoked } = done;
    if (mustRenew || !hasClaimed) leasesEnd = until;
    for (const { row, record } of batch) {
      dispatcher.forget(row);
      if (record && stored.has(formatDeliveryKey(row))) onAttempt(record);
    }
    dispatcher.withdraw(revoked);
    if (!claims) return false;
    roundRobin.note(claims.served, claims.lastVisited);
    if (!stopping) dispatcher.dispatch(claims.claimed);
    settle(claims.orphans);
    return claims.again;
  }

  async function commit(
    db: Database,
    batch: readonly CompletedAttempt[],
    { limit, mustRenew }: { limit: number; mustRenew: boolean },
  ) {
    const until = now() + leaseMs;
    // Renews this worker's leases before `claim` releases expired ones, so that clock skew cannot end them.
    if (mustRenew) await renewLeases(db, dispatcher.claimedKeys(), { worker: name, until });
    const revoked = mustRenew ? await listRevoked(db, name) : [];
    const rows = batch.map(({ row }) => row);
    const stored = new Set(await recordOutcomes(db, name, rows));
    const { room, claimedOf } = dispatcher;
    const claims =
      limit > 0
        ? await claim(db, {
            worker: name,
            now: now(),
            until,
            roundRobin,
            maxDeliveries: limit,
            room,
            claimedOf,
          })
        : undefined;
    return { stored, claims, until, revoked };
  }

  /** Runs beside the loop, because it may wait for the locks of webhooks. */
  function settle(orphans: readonly WebhookKey[]): void {
    if (stopping || settling || (orphans.length === 0 && performance.now() < settledAt + pollMs)) return;
    settling = settleDeliveries(store, { now, orphans, isStopping: () => stopping })
      .catch(onError)
      .finally(() => {
        settling = undefined;
        settledAt = performance.now();
      });
  }

  async function run(): Promise<void> {
    while (!stopping || dispatcher.inFlight() > 0 || completed.length > 0) {
      const again = await storeAndClaim().catch(async (error: unknown) => {
        onError(error);
        if (signal.aborted) completed = [];
        else await wait(faultPauseMs);
        return false;
      });
      settle([]);
      if (!again) await wakeup.wait(Math.min(pollMs, leaseMs / 3));
    }
  }

  const running = run();
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping = true;
    dispatcher.clear();
    wakeup.give();
    const timeout = setTimeout(() => shutdown.abort(), shutdownTimeoutMs);
    await running;
    await settling;
    clearTimeout(timeout);
    await store.write((db) => releaseLeases(db, name)).catch(onError);
  };

  return {
    wake: wakeup.give,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}
