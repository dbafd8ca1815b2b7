import { setTimeout as wait } from 'node:timers/promises';
import type { DeliveryKey, DeliveryUpdate } from '../storage/queue-types.ts';
import type { Store } from '../storage/store.ts';
import { type Attempt, logged } from './attempt.ts';
import { type AttemptOutcome, decideOutcome } from './attempt-outcome.ts';
import type { Claimed } from './claim.ts';
import { recordOutcomeAndHealth } from './webhook-health.ts';

/** What is told of each attempt; nothing of it is secret. */
export interface AttemptRecord extends DeliveryKey {
  type: string;
  /** Which attempt of this delivery it was, from 1. */
  attempt: number;
  state: AttemptOutcome['state'];
  disabled: AttemptOutcome['disable'];
  result: Attempt;
}

/** How a delivery goes on, and what is told of it when that is stored; nothing where it was not tried. */
export interface CompletedAttempt {
  row: DeliveryUpdate;
  record?: AttemptRecord;
}

/** What is still to be stored, or what is to be told of what is; neither where another worker tells how it ends. */
export interface RecordedAttempt {
  toStore?: CompletedAttempt;
  record?: AttemptRecord;
}

export interface AttemptRecorderOptions {
  store: Store;
  /** The worker's name. */
  worker: string;
  now: () => number;
  random: () => number;
  /** Given where nobody waits for results any more. */
  shutdown: AbortSignal;
  onError: (error: unknown) => void;
}

// After a fault of the database.
const faultPauseMs = 1_000;

// What we cannot sign is no fault of the receiver; an operator has to look at it.
const ownFaultWaitMs = 60_000;

/** Decides how deliveries go on after an attempt, and stores at once what it says of their webhooks. */
export function createAttemptRecorder({
  store,
  worker,
  now,
  random,
  shutdown,
  onError,
}: AttemptRecorderOptions) {
  // Webhooks that have failed here since they were read.
  const failing = new Set<number>();

  async function finish(claimed: Claimed, result: Attempt): Promise<RecordedAttempt> {
    const { delivery, webhook } = claimed;
    if (result.problem === 'secret') {
      onError(new Error(`Webhook ${delivery.webhookId} cannot be signed for: ${result.message}`));
      return { toStore: { row: notAttempted(claimed, now() + ownFaultWaitMs) } };
    }
    const { companyId, webhookId, sequence, type } = delivery;
    const replayed = delivery.replayed === 1;
    const attempts = delivery.attempts + 1;
    const row = { companyId, webhookId, sequence, attempts, log: logged(delivery.log, result) };
    const chance = random();
    const decide = (state: Pick<typeof webhook, 'disabled_at' | 'failing_since'>): AttemptOutcome =>
      decideOutcome(result, { attempts, replayed, webhook: state }, now(), chance);
    const recordOf = ({ state, disable: disabled }: AttemptOutcome): AttemptRecord => {
      const location = { companyId, webhookId, sequence, type };
      return { ...location, attempt: attempts, state, disabled, result };
    };
    const expected = decide(webhook);
    const isNews = expected.failingSince !== webhook.failing_since || (!replayed && failing.has(webhookId));
    if (expected.state === 'delivered' && !isNews)
      return { toStore: { row: { ...row, state: 'delivered', dueAt: null }, record: recordOf(expected) } };

    const stored = await untilStored(() =>
      store.write(
        (db) => recordOutcomeAndHealth(db, { worker, called: webhook, row, decide, now: now() }),
        companyId,
      ),
    );
    if (!stored) return {};
    if (stored.failingSince === null) failing.delete(webhookId);
    else failing.add(webhookId);
    return { record: recordOf(stored) };
  }

  /** The receiver has it: that must not be lost because the database is away for a while. */
  async function untilStored<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        if (shutdown.aborted) throw error;
        // Many may be waiting for the same database.
        if (tries === 1) onError(error);
      }
      await wait(faultPauseMs);
    }
  }

  return finish;
}

/** A delivery that goes back as it was taken. */
export const notAttempted = ({ delivery }: Claimed, dueAt = delivery.dueAt): DeliveryUpdate => {
  const { companyId, webhookId, sequence, attempts, log } = delivery;
  return { companyId, webhookId, sequence, attempts, log, state: 'waiting', dueAt };
};
