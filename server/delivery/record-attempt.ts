import { setTimeout as wait } from 'node:timers/promises';
import { traceIdOf } from '../lib/trace-context.ts';
import { recordOutcomes } from '../storage/queries/delivery-queue.ts';
import { updateRow } from '../storage/queries/rows.ts';
import { unsettle } from '../storage/queries/unsettled-webhooks.ts';
import { findWebhookForUpdate } from '../storage/queries/webhooks.ts';
import { type DeliveryKey, type DeliveryUpdate, unsignedWaitMs } from '../storage/queue-types.ts';
import type { Database, Store } from '../storage/store.ts';
import { type Attempt, logged } from './attempt.ts';
import type { Claimed } from './claim.ts';
import { type AttemptOutcome, canceled, decideOutcome, outcomeAfterChange } from './outcome.ts';

/** The log record of an attempt. It contains no secrets. */
export interface AttemptRecord extends DeliveryKey {
  type: string;
  /** Number of the attempt, from 1. */
  attempt: number;
  state: AttemptOutcome['state'];
  disabled: AttemptOutcome['disable'];
  result: Attempt;
  /** The ID of the event's trace, if it has one. */
  trace: string | undefined;
}

/**
 * The update of a delivery, and the record to report once the update is stored. There is no record if no request was
 * made.
 */
export interface CompletedAttempt {
  row: DeliveryUpdate;
  record?: AttemptRecord;
}

export interface AttemptRecorderOptions {
  store: Store;
  /** The name of the worker. */
  worker: string;
  now: () => number;
  random: () => number;
  /** Aborted when results are no longer needed. */
  shutdown: AbortSignal;
  onError: (error: unknown) => void;
}

// Pause after a database error, in milliseconds.
const faultPauseMs = 1_000;

/**
 * Creates a function that decides what follows from an attempt. If the event was delivered and the webhook's health
 * stays the same, or if the event could not be signed, it returns the update, to be stored together with others.
 * Otherwise it stores the outcome immediately and returns the record. It returns an empty object if `shutdown` is
 * aborted, or if another worker has taken over the delivery, or it was canceled.
 */
export function createAttemptRecorder(options: AttemptRecorderOptions) {
  const { store, worker, now, random, shutdown, onError } = options;
  // Webhooks that this process has stored as failing. Rows that were read earlier may not show it.
  const failing = new Set<number>();

  async function recordAttempt(
    claimed: Claimed,
    result: Attempt,
  ): Promise<{ toStore?: CompletedAttempt; record?: AttemptRecord }> {
    if (shutdown.aborted) return {};
    const { delivery, webhook } = claimed;
    if (result.problem === 'secret') {
      onError(new Error(`An event of webhook ${delivery.webhookId} cannot be signed: ${result.message}`));
      return { toStore: { row: unsentUpdate(claimed, now() + unsignedWaitMs) } };
    }
    const { companyId, webhookId, sequence, type } = delivery;
    const replayed = delivery.replayed === 1;
    const attempts = delivery.attempts + 1;
    const row = { companyId, webhookId, sequence, attempts, log: logged(delivery.log, result) };
    const chance = random();
    const decide = (state: Pick<typeof webhook, 'disabled_at' | 'failing_since'>): AttemptOutcome =>
      decideOutcome(result, { attempts, replayed, webhook: state }, now(), chance);
    const recordOf = ({ state, disable: disabled }: AttemptOutcome): AttemptRecord => ({
      ...{ companyId, webhookId, sequence, type, attempt: attempts },
      ...{ state, disabled, result, trace: traceIdOf(delivery.traceparent) },
    });
    const expected = decide(webhook);
    const changesHealth =
      expected.failingSince !== webhook.failing_since || (!replayed && failing.has(webhookId));
    if (expected.state === 'delivered' && !changesHealth)
      return { toStore: { row: { ...row, state: 'delivered', dueAt: null }, record: recordOf(expected) } };

    /** Stores the outcome and the webhook's health. @returns undefined if the delivery is no longer this worker's */
    const recordOutcomeAndHealth = async (db: Database): Promise<AttemptOutcome | undefined> => {
      const current = await findWebhookForUpdate(db, companyId, webhookId);
      const verdict = current ? outcomeAfterChange(current, webhook, decide(current), now()) : canceled;
      const { state, dueAt, failingSince, disable } = verdict;
      const mine = await recordOutcomes(db, worker, [{ ...row, state, dueAt }]);
      if (mine.length === 0) return undefined;
      if (current && (disable || failingSince !== current.failing_since))
        await updateRow(db, 'webhooks', current, {
          failing_since: failingSince,
          ...(disable ? { disabled_at: now(), disabled_why: disable } : {}),
        });
      if (disable) await unsettle(db, companyId, webhookId);
      return verdict;
    };
    const stored = await untilStored(() => store.write(recordOutcomeAndHealth, companyId));
    if (!stored) return {};
    if (stored.failingSince === null) failing.delete(webhookId);
    else failing.add(webhookId);
    return { record: recordOf(stored) };
  }

  /**
   * Retries until the result is stored: a delivered event must not be sent again just because the database was
   * unavailable. @returns undefined if `shutdown` is aborted first
   */
  async function untilStored<T>(work: () => Promise<T>): Promise<T | undefined> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        // Reported once per result, not at every retry.
        if (tries === 1) onError(error);
        if (shutdown.aborted) return undefined;
      }
      await wait(faultPauseMs, undefined, { signal: shutdown }).catch(() => {});
    }
  }

  return recordAttempt;
}

/** Returns the update that releases a claimed delivery without an attempt, optionally with another due time. */
export const unsentUpdate = ({ delivery }: Claimed, dueAt = delivery.dueAt): DeliveryUpdate => {
  const { companyId, webhookId, sequence, attempts, log } = delivery;
  return { companyId, webhookId, sequence, attempts, log, state: 'waiting', dueAt };
};
