import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Secrets } from '../secrets/encryption.ts';
import {
  hasDueDeliveries,
  recordOutcomes,
  releaseLeases,
  renewLeases,
  repairFutureDates,
} from '../storage/queries/delivery-queue.ts';
import { formatDeliveryKey, type WebhookKey } from '../storage/queue-types.ts';
import { type Database, type Store, UniqueViolation } from '../storage/store.ts';
import type { Attempt } from './attempt.ts';
import { type BulkheadLimits, createBulkhead } from './bulkhead.ts';
import { type Claimed, type Claims, claim } from './claim.ts';
import { createClockSkewDetector } from './clock-skew.ts';
import { createDeliveryDispatcher } from './dispatcher.ts';
import {
  type AttemptRecord,
  type CompletedAttempt,
  createAttemptRecorder,
  notAttempted,
} from './record-attempt.ts';
import { maxRetryDelayMs } from './retry-schedule.ts';
import { createRoundRobin } from './round-robin.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createStalenessCheck } from './staleness-check.ts';
import { createWakeup } from './wakeup.ts';
import { reconcileOrphans } from './webhook-health.ts';
import { buildWebhookRequest, messageId, type WebhookRequest } from './webhook-request.ts';

export interface WorkerOptions {
  store: Store;
  secrets: Secrets;
  /** Returns milliseconds since 1970. */
  now: () => number;
  /** Returns a number from 0 to 1. */
  random?: () => number;
  /** Makes a request. It never throws, and ends immediately if the signal aborts. */
  send: (call: WebhookRequest, signal: AbortSignal) => Promise<Attempt>;
  limits: BulkheadLimits;
  /** Lease of a claimed delivery, in milliseconds. */
  leaseMs: number;
  /** Interval of polling for deliveries that no notification announced, in milliseconds. */
  pollMs: number;
  /** How long requests may take after `stop`, in milliseconds. */
  shutdownTimeoutMs?: number;
  onAttempt: (record: AttemptRecord) => void;
  /** Called for errors of the database; the worker continues. */
  onError: (error: unknown) => void;
}

export interface Worker {
  /** Claims due deliveries now. */
  wake: () => void;
  /** Waits for requests in flight, and returns the other deliveries to the queue. */
  stop: () => Promise<void>;
}

// Claimed deliveries per request that may be in flight.
const claimedPerRequest = 4;

// Maximum number of outcomes stored in one transaction, and the maximum delay of a batch in milliseconds.
const enough = 256;
const togetherMs = 50;

// Pause after a database error, in milliseconds.
const faultPauseMs = 1_000;

const nothingTaken: Claims = { claimed: [], again: false, orphans: [], served: [], seen: undefined };

/**
 * Starts a worker, which claims due deliveries and sends them until it is stopped. Any number of workers in any
 * number of processes share a queue. A claimed delivery belongs to its worker until the lease ends.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { store, now, send, limits, leaseMs, pollMs, onAttempt, onError } = options;
  const { random = Math.random, shutdownTimeoutMs = 10_000 } = options;
  const name = randomUUID();
  const bulkhead = createBulkhead(limits);
  const roundRobin = createRoundRobin();
  const signingKeys = createSigningKeys(options.secrets);
  const isUnchanged = createStalenessCheck(store);
  const signal = createWakeup();
  const isToBeLookedAt = createClockSkewDetector(now);
  const shutdown = new AbortController();
  const finish = createAttemptRecorder({
    store,
    worker: name,
    now,
    random,
    shutdown: shutdown.signal,
    onError,
  });
  const tidying = new Set<number>();
  let settlements: CompletedAttempt[] = [];
  // The earliest end of the leases held.
  let heldUntil = 0;
  // Whether due times in the future may come from a clock that was ahead.
  let isPutOff = false;
  let stopping = false;

  const dispatcher = createDeliveryDispatcher({
    bulkhead,
    capacity: limits.fast * claimedPerRequest,
    patienceMs: limits.patienceMs,
    attempt,
    async onOver(claimed, result) {
      try {
        const { toStore, record } = shutdown.signal.aborted ? {} : await finish(claimed, result);
        if (toStore) settlements.push(toStore);
        else dispatcher.letGo(claimed.delivery);
        if (record) onAttempt(record);
      } catch (error) {
        onError(error);
      }
      // Outcomes are stored in batches, unless no other request is in flight.
      if (settlements.length >= enough || dispatcher.calls() <= 1) signal.give();
      else signal.giveIn(togetherMs);
    },
    onReturned(returned) {
      settlements.push(...returned.map((claimed) => ({ row: notAttempted(claimed) })));
      signal.giveIn(togetherMs);
    },
  });

  /** Stores outcomes, renews leases and claims due deliveries in one transaction. */
  async function round(): Promise<boolean> {
    if (isToBeLookedAt()) isPutOff = true;
    if (isPutOff) {
      await store.write((db) => repairFutureDates(db, { now: now(), leaseMs, maxDelayMs: maxRetryDelayMs }));
      isPutOff = false;
    }
    const most = stopping ? 0 : dispatcher.free();
    const ended = settlements;
    const isLate = dispatcher.keys().length > 0 && now() >= heldUntil - leaseMs / 2;
    if (ended.length === 0 && !isLate) {
      if (most <= 0 || !(await store.read((db) => hasDueDeliveries(db, now())))) return false;
    }
    const isFirst = dispatcher.keys().length === 0;
    settlements = [];
    const done = await store
      .write((db) => commit(db, ended, most, isLate))
      .catch((error: unknown) => {
        settlements = [...ended, ...settlements];
        // Another worker claimed a delivery about the same entity first.
        if (error instanceof UniqueViolation) return undefined;
        throw error;
      });
    if (!done) return true;
    if (isLate || isFirst) heldUntil = done.until;
    const stored = new Set(done.stored);
    for (const { row, record } of ended) {
      dispatcher.letGo(row);
      if (record && stored.has(formatDeliveryKey(row))) onAttempt(record);
    }
    roundRobin.note(done.taken.served, done.taken.seen);
    if (!stopping) dispatcher.take(done.taken.claimed);
    for (const orphan of done.taken.orphans) tidyAway(orphan);
    return done.taken.again;
  }

  async function commit(db: Database, ended: readonly CompletedAttempt[], most: number, isLate: boolean) {
    const rows = ended.map(({ row }) => row);
    const until = now() + leaseMs;
    // Renewed before expired leases are ended, so that clock skew cannot end them.
    if (isLate) await renewLeases(db, dispatcher.keys(), { worker: name, until });
    const stored = await recordOutcomes(db, name, rows);
    const taken =
      most > 0
        ? await claim(db, {
            worker: name,
            now: now(),
            until,
            roundRobin,
            most,
            room: dispatcher.room,
            companyRoom: dispatcher.companyRoom,
          })
        : nothingTaken;
    return { stored, taken, until };
  }

  /** Runs outside the loop, because it may wait for a lock on the webhook. */
  function tidyAway(orphan: WebhookKey): void {
    if (tidying.has(orphan.webhookId)) return;
    tidying.add(orphan.webhookId);
    store
      .write((db) => reconcileOrphans(db, orphan), orphan.companyId)
      .catch(onError)
      .finally(() => tidying.delete(orphan.webhookId));
  }

  async function attempt(claimed: Claimed): Promise<Attempt | undefined> {
    const { delivery, webhook } = claimed;
    if (!(await isUnchanged(claimed).catch(() => false))) return undefined;
    const at = now();
    try {
      const id = messageId(delivery.webhookId, delivery.sequence);
      const keys = signingKeys(webhook, at);
      return await send(
        buildWebhookRequest({ id, payload: delivery.payload, webhook, keys }, at),
        shutdown.signal,
      );
    } catch (error) {
      return {
        at,
        ms: 0,
        problem: 'secret',
        message: error instanceof Error ? error.message : String(error),
      };
    }
  }

  async function run(): Promise<void> {
    while (!stopping || dispatcher.calls() > 0 || settlements.length > 0) {
      const again = await round().catch(async (error: unknown) => {
        onError(error);
        if (shutdown.signal.aborted) settlements = [];
        else await wait(faultPauseMs);
        return false;
      });
      if (!again) await signal.wait(Math.min(pollMs, leaseMs / 3));
    }
  }

  const endListening = store.onDeliveriesEnqueued(signal.give);
  const running = run();

  return {
    wake: signal.give,
    async stop() {
      if (stopping) return void (await running);
      stopping = true;
      dispatcher.drop();
      signal.give();
      const patience = setTimeout(() => shutdown.abort(), shutdownTimeoutMs);
      await running;
      clearTimeout(patience);
      endListening();
      await store.write((db) => releaseLeases(db, name)).catch(onError);
    },
  };
}
