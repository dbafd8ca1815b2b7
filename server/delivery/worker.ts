import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Secrets } from '../secrets/encryption.ts';
import {
  anythingDue,
  bringForward,
  extendLeases,
  giveBack,
  settle,
} from '../storage/queries/delivery-queue.ts';
import { nameOf, type WebhookKey } from '../storage/queue-types.ts';
import { type Database, type Store, UniqueViolation } from '../storage/store.ts';
import type { Attempt } from './attempt.ts';
import { createLanes, type LaneLimits } from './bulkhead.ts';
import { type Claimed, type Claims, claim } from './claim.ts';
import { watchClock } from './clock-skew.ts';
import { createHand } from './dispatcher.ts';
import { type AttemptRecord, createFinish, type Ended, untried } from './record-attempt.ts';
import { longestDelayMs } from './retry-schedule.ts';
import { createRotation } from './round-robin.ts';
import { createSigningKeys } from './signing-keys.ts';
import { createFreshness } from './staleness-check.ts';
import { createSignal } from './wakeup.ts';
import { tidy } from './webhook-health.ts';
import { type Call, callOf, messageId } from './webhook-request.ts';

export interface WorkerOptions {
  store: Store;
  secrets: Secrets;
  /** Milliseconds since 1970. */
  now: () => number;
  /** From 0 to 1. */
  random?: () => number;
  /** Makes a call. It never throws; where the signal is given it ends at once. */
  send: (call: Call, signal: AbortSignal) => Promise<Attempt>;
  limits: LaneLimits;
  /** How long a delivery is this worker's without a sign of life. */
  leaseMs: number;
  /** How often is looked for what nobody has told of. */
  pollMs: number;
  /** How long calls have when the worker is told to stop. */
  graceMs?: number;
  onAttempt: (record: AttemptRecord) => void;
  /** Told of what keeps the worker from its work; it goes on. */
  onFault: (error: unknown) => void;
}

export interface Worker {
  /** Looks into the queue now. */
  wake: () => void;
  /** Waits for calls that are under way, and gives back what is left. */
  stop: () => Promise<void>;
}

// For each call at once so many deliveries are in hand.
const inHandForEach = 4;

// So many results are written down at once, or those that come within so many milliseconds.
const enough = 256;
const togetherMs = 50;

// After a fault of the database.
const faultPauseMs = 1_000;

const nothingTaken: Claims = { claimed: [], again: false, strays: [], served: [], seen: undefined };

/**
 * Takes what is due from the queue and sends it, until it is stopped. Any number of workers, in any number of
 * processes, share a queue: what one has taken is its own while it says so, and anybody's when it no longer does.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { store, now, send, limits, leaseMs, pollMs, onAttempt, onFault } = options;
  const { random = Math.random, graceMs = 10_000 } = options;
  const name = randomUUID();
  const lanes = createLanes(limits);
  const rotation = createRotation();
  const signingKeys = createSigningKeys(options.secrets);
  const isUnchanged = createFreshness(store);
  const signal = createSignal();
  const isToBeLookedAt = watchClock(now);
  const brake = new AbortController();
  const finish = createFinish({ store, worker: name, now, random, brake: brake.signal, onFault });
  const tidying = new Set<number>();
  let settlements: Ended[] = [];
  // When the leases of all that is in hand end at the earliest.
  let heldUntil = 0;
  // Whether something may be put off by a clock that was ahead, and is not brought forward yet.
  let isPutOff = false;
  let stopping = false;

  const hand = createHand({
    lanes,
    capacity: limits.fast * inHandForEach,
    patienceMs: limits.patienceMs,
    attempt,
    async onOver(claimed, result) {
      try {
        const { toStore, record } = brake.signal.aborted ? {} : await finish(claimed, result);
        if (toStore) settlements.push(toStore);
        else hand.letGo(claimed.delivery);
        if (record) onAttempt(record);
      } catch (error) {
        onFault(error);
      }
      // What has ended is written down with others, unless there are none to wait for.
      if (settlements.length >= enough || hand.calls() <= 1) signal.give();
      else signal.giveIn(togetherMs);
    },
    onReturned(returned) {
      settlements.push(...returned.map((claimed) => ({ row: untried(claimed) })));
      signal.giveIn(togetherMs);
    },
  });

  /** Writes down what has ended, says that it lives, and takes what is due: in one transaction. */
  async function round(): Promise<boolean> {
    if (isToBeLookedAt()) isPutOff = true;
    if (isPutOff) {
      await store.write((db) => bringForward(db, { now: now(), leaseMs, longestDelayMs }));
      isPutOff = false;
    }
    const most = stopping ? 0 : hand.free();
    const ended = settlements;
    const isLate = hand.keys().length > 0 && now() >= heldUntil - leaseMs / 2;
    if (ended.length === 0 && !isLate) {
      if (most <= 0 || !(await store.read((db) => anythingDue(db, now())))) return false;
    }
    const isFirst = hand.keys().length === 0;
    settlements = [];
    const done = await store
      .write((db) => commit(db, ended, most, isLate))
      .catch((error: unknown) => {
        settlements = [...ended, ...settlements];
        // Another worker was quicker with something about the same entity.
        if (error instanceof UniqueViolation) return undefined;
        throw error;
      });
    if (!done) return true;
    if (isLate || isFirst) heldUntil = done.until;
    const stored = new Set(done.stored);
    for (const { row, record } of ended) {
      hand.letGo(row);
      if (record && stored.has(nameOf(row))) onAttempt(record);
    }
    rotation.note(done.taken.served, done.taken.seen);
    if (!stopping) hand.take(done.taken.claimed);
    for (const stray of done.taken.strays) tidyAway(stray);
    return done.taken.again;
  }

  async function commit(db: Database, ended: readonly Ended[], most: number, isLate: boolean) {
    const rows = ended.map(({ row }) => row);
    const until = now() + leaseMs;
    // Before leases that are over are ended: these are not, whatever the clocks say.
    if (isLate) await extendLeases(db, hand.keys(), { worker: name, until });
    const stored = await settle(db, name, rows);
    const taken =
      most > 0
        ? await claim(db, {
            worker: name,
            now: now(),
            until,
            rotation,
            most,
            room: hand.room,
            companyRoom: hand.companyRoom,
          })
        : nothingTaken;
    return { stored, taken, until };
  }

  /** Beside the rounds: whoever holds the webhook may take a while. */
  function tidyAway(stray: WebhookKey): void {
    if (tidying.has(stray.webhookId)) return;
    tidying.add(stray.webhookId);
    store
      .write((db) => tidy(db, stray), stray.companyId)
      .catch(onFault)
      .finally(() => tidying.delete(stray.webhookId));
  }

  async function attempt(claimed: Claimed): Promise<Attempt | undefined> {
    const { delivery, webhook } = claimed;
    if (!(await isUnchanged(claimed).catch(() => false))) return undefined;
    const at = now();
    try {
      const id = messageId(delivery.webhookId, delivery.sequence);
      const keys = signingKeys(webhook, at);
      return await send(callOf({ id, payload: delivery.payload, webhook, keys }, at), brake.signal);
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
    while (!stopping || hand.calls() > 0 || settlements.length > 0) {
      const again = await round().catch(async (error: unknown) => {
        onFault(error);
        if (brake.signal.aborted) settlements = [];
        else await wait(faultPauseMs);
        return false;
      });
      if (!again) await signal.wait(Math.min(pollMs, leaseMs / 3));
    }
  }

  const endListening = store.onDeliveries(signal.give);
  const running = run();

  return {
    wake: signal.give,
    async stop() {
      if (stopping) return void (await running);
      stopping = true;
      hand.drop();
      signal.give();
      const patience = setTimeout(() => brake.abort(), graceMs);
      await running;
      clearTimeout(patience);
      endListening();
      await store.write((db) => giveBack(db, name)).catch(onFault);
    },
  };
}
