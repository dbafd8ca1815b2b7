import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Secrets } from '../secrets/seal.ts';
import { anythingDue, extendLeases, giveBack, settle } from '../storage/claims.ts';
import type { DeliveryKey, Settlement } from '../storage/queue.ts';
import { type Store, UniqueViolation } from '../storage/store.ts';
import { type Attempt, logged } from './attempt.ts';
import { type Call, callOf, messageId } from './call.ts';
import { type Claimed, type Claims, claim } from './claim.ts';
import { createHand } from './hand.ts';
import { settleWithWebhook, tidy } from './health.ts';
import { createLanes, type LaneLimits } from './lanes.ts';
import { createRotation } from './rotation.ts';
import { createSignal } from './signal.ts';
import { createSigningKeys } from './signing-keys.ts';
import { type Verdict, verdictOn } from './verdict.ts';

/** What is told of each attempt; nothing of it is secret. */
export interface AttemptRecord extends DeliveryKey {
  type: string;
  /** Which attempt of this delivery it was, from 1. */
  attempt: number;
  state: Verdict['state'];
  disabled: Verdict['disable'];
  result: Attempt;
}

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

const nothingTaken: Claims = { claimed: [], complete: true, strays: [], served: [], seen: undefined };

/** How a delivery goes on, and what is told of it; nothing where it was not tried. */
interface Ended {
  row: Settlement;
  record?: AttemptRecord;
}

// For each call at once so many deliveries are in hand.
const inHandForEach = 2;

// So many results are written down at once, or those that come within so many milliseconds.
const enough = 256;
const togetherMs = 50;

// After a fault of the database.
const faultPauseMs = 1_000;

/**
 * Takes what is due from the queue and sends it, until it is stopped. Any number of workers, in any number of
 * processes, share a queue: what one has taken is its own while it says so, and anybody's when it no longer does.
 */
export function startWorker(options: WorkerOptions): Worker {
  const { store, secrets, now, send, leaseMs, pollMs, onAttempt, onFault } = options;
  const { random = Math.random, graceMs = 10_000 } = options;
  const name = randomUUID();
  const lanes = createLanes(options.limits);
  const rotation = createRotation();
  const signingKeys = createSigningKeys(secrets);
  const signal = createSignal();
  const brake = new AbortController();
  let settlements: Ended[] = [];
  let stopping = false;

  const hand = createHand({
    lanes,
    patienceMs: options.limits.patienceMs,
    attempt,
    async onOver(claimed, result) {
      try {
        if (!brake.signal.aborted) await finish(claimed, result);
      } catch (error) {
        onFault(error);
      }
      // What has ended is written down with others, unless there are none to wait for.
      if (settlements.length >= enough || !hand.isBusy()) signal.give();
      else signal.giveIn(togetherMs);
    },
    onReturned(returned) {
      for (const { delivery } of returned) {
        const { companyId, webhookId, sequence, attempts, log } = delivery;
        const row = {
          companyId,
          webhookId,
          sequence,
          attempts,
          log,
          state: 'waiting' as const,
          dueAt: now(),
        };
        settlements.push({ row });
      }
      signal.giveIn(togetherMs);
    },
  });

  /** Writes down what has ended and takes what is due, in one transaction. @returns whether to look again at once */
  async function round(): Promise<boolean> {
    const most = stopping || lanes.free() === 0 ? 0 : options.limits.fast * inHandForEach - hand.size();
    const mayTake = most > 0;
    const ended = settlements;
    if (ended.length === 0) {
      if (!mayTake) return false;
      if (!(await store.read((db) => anythingDue(db, now())))) return false;
    }
    settlements = [];
    const done = await store
      .write(async (db) => {
        const rows = ended.map(({ row }) => row);
        if (rows.length > 0) await settle(db, name, rows);
        if (!mayTake) return nothingTaken;
        return claim(db, {
          worker: name,
          now: now(),
          leaseMs,
          rotation,
          most,
          room: hand.room,
          isInHand: (key) => hand.has(key) && !rows.some((row) => isSame(row, key)),
        });
      })
      .catch((error: unknown) => {
        settlements = [...ended, ...settlements];
        // Another worker was quicker with something about the same entity.
        if (error instanceof UniqueViolation) return undefined;
        throw error;
      });
    if (!done) return true;
    for (const { row, record } of ended) {
      hand.letGo(row);
      if (record) onAttempt(record);
    }
    rotation.note(done.served, done.seen);
    if (!stopping) hand.take(done.claimed);
    for (const stray of done.strays) await store.write((db) => tidy(db, stray), stray.companyId);
    return mayTake && (done.claimed.length >= most || !done.complete);
  }

  async function attempt({ delivery, webhook }: Claimed): Promise<Attempt> {
    const at = now();
    try {
      const id = messageId(delivery.webhookId, delivery.sequence);
      const message = {
        id,
        payload: delivery.payload,
        webhook,
        keys: signingKeys(webhook, at),
      };
      return await send(callOf(message, at), brake.signal);
    } catch (error) {
      return {
        at,
        ms: 0,
        problem: 'secret',
        message: error instanceof Error ? error.message : String(error),
      };
    }
  }

  /** What says nothing new of the webhook is written down with others of its kind. */
  async function finish({ delivery, webhook }: Claimed, result: Attempt): Promise<void> {
    const { companyId, webhookId, sequence, type } = delivery;
    const replayed = delivery.replayed === 1;
    const attempts = delivery.attempts + 1;
    const settlement = { companyId, webhookId, sequence, attempts, log: logged(delivery.log, result) };
    const chance = random();
    const decide = (state: Pick<typeof webhook, 'disabled_at' | 'failing_since'>): Verdict =>
      verdictOn(result, { attempts, replayed, webhook: state }, now(), chance);
    const recordOf = ({ state, disable: disabled }: Verdict): AttemptRecord => ({
      companyId,
      webhookId,
      sequence,
      type,
      attempt: attempts,
      state,
      disabled,
      result,
    });
    const expected = decide(webhook);
    if (expected.state === 'delivered' && expected.failingSince === webhook.failing_since) {
      settlements.push({
        row: { ...settlement, state: 'delivered', dueAt: null },
        record: recordOf(expected),
      });
      return;
    }
    const verdict = await untilStored(() =>
      store.write((db) => settleWithWebhook(db, name, settlement, decide, now()), companyId),
    );
    hand.letGo(delivery);
    onAttempt(recordOf(verdict));
  }

  /** The receiver has it: that must not be lost because the database is away for a while. */
  async function untilStored<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (brake.signal.aborted) throw error;
        onFault(error);
        await wait(faultPauseMs);
      }
    }
  }

  async function run(): Promise<void> {
    while (!stopping || hand.isBusy() || settlements.length > 0) {
      const again = await round().catch(async (error: unknown) => {
        onFault(error);
        if (brake.signal.aborted) settlements = [];
        else await wait(faultPauseMs);
        return false;
      });
      // A sign that was given meanwhile is not lost.
      if (!again) await signal.wait(pollMs);
    }
  }

  const beat = setInterval(() => {
    const keys = hand.keys();
    if (keys.length === 0) return;
    store.write((db) => extendLeases(db, keys, { worker: name, until: now() + leaseMs })).catch(onFault);
  }, leaseMs / 3);
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
      clearInterval(beat);
      endListening();
      await store.write((db) => giveBack(db, name)).catch(onFault);
    },
  };
}

const isSame = (one: DeliveryKey, other: DeliveryKey): boolean =>
  one.webhookId === other.webhookId && one.sequence === other.sequence;
