import { setTimeout as wait } from 'node:timers/promises';
import type { DeliveryKey, Settlement } from '../storage/queue-types.ts';
import type { Store } from '../storage/store.ts';
import { type Attempt, logged } from './attempt.ts';
import { type Verdict, verdictOn } from './attempt-outcome.ts';
import type { Claimed } from './claim.ts';
import { settleWithWebhook } from './webhook-health.ts';

/** What is told of each attempt; nothing of it is secret. */
export interface AttemptRecord extends DeliveryKey {
  type: string;
  /** Which attempt of this delivery it was, from 1. */
  attempt: number;
  state: Verdict['state'];
  disabled: Verdict['disable'];
  result: Attempt;
}

/** How a delivery goes on, and what is told of it when that is stored; nothing where it was not tried. */
export interface Ended {
  row: Settlement;
  record?: AttemptRecord;
}

/** What is still to be stored, or what is to be told of what is; neither where another worker tells how it ends. */
export interface Finished {
  toStore?: Ended;
  record?: AttemptRecord;
}

export interface FinishOptions {
  store: Store;
  /** The worker's name. */
  worker: string;
  now: () => number;
  random: () => number;
  /** Given where nobody waits for results any more. */
  brake: AbortSignal;
  onFault: (error: unknown) => void;
}

// After a fault of the database.
const faultPauseMs = 1_000;

// What we cannot sign is no fault of the receiver; an operator has to look at it.
const ownFaultWaitMs = 60_000;

/** Decides how deliveries go on after an attempt, and stores at once what it says of their webhooks. */
export function createFinish({ store, worker, now, random, brake, onFault }: FinishOptions) {
  // Webhooks that have failed here since they were read.
  const failing = new Set<number>();

  async function finish(claimed: Claimed, result: Attempt): Promise<Finished> {
    const { delivery, webhook } = claimed;
    if (result.problem === 'secret') {
      onFault(new Error(`Webhook ${delivery.webhookId} cannot be signed for: ${result.message}`));
      return { toStore: { row: untried(claimed, now() + ownFaultWaitMs) } };
    }
    const { companyId, webhookId, sequence, type } = delivery;
    const replayed = delivery.replayed === 1;
    const attempts = delivery.attempts + 1;
    const row = { companyId, webhookId, sequence, attempts, log: logged(delivery.log, result) };
    const chance = random();
    const decide = (state: Pick<typeof webhook, 'disabled_at' | 'failing_since'>): Verdict =>
      verdictOn(result, { attempts, replayed, webhook: state }, now(), chance);
    const recordOf = ({ state, disable: disabled }: Verdict): AttemptRecord => {
      const place = { companyId, webhookId, sequence, type };
      return { ...place, attempt: attempts, state, disabled, result };
    };
    const expected = decide(webhook);
    const isNews = expected.failingSince !== webhook.failing_since || (!replayed && failing.has(webhookId));
    if (expected.state === 'delivered' && !isNews)
      return { toStore: { row: { ...row, state: 'delivered', dueAt: null }, record: recordOf(expected) } };

    const stored = await untilStored(() =>
      store.write(
        (db) => settleWithWebhook(db, { worker, called: webhook, row, decide, now: now() }),
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
        if (brake.aborted) throw error;
        // Many may be waiting for the same database.
        if (tries === 1) onFault(error);
      }
      await wait(faultPauseMs);
    }
  }

  return finish;
}

/** A delivery that goes back as it was taken. */
export const untried = ({ delivery }: Claimed, dueAt = delivery.dueAt): Settlement => {
  const { companyId, webhookId, sequence, attempts, log } = delivery;
  return { companyId, webhookId, sequence, attempts, log, state: 'waiting', dueAt };
};
