import type { DeliveryState } from '../storage/delivery-states.ts';
import type { DisabledWhy } from '../storage/schema.ts';
import { type Attempt, isSuccess } from './attempt.ts';
import { retryDelay } from './retry-schedule.ts';

const dayMs = 24 * 3_600_000;

/** A webhook whose attempts have failed for this long is disabled (D47). */
export const failureToleranceMs = 5 * dayMs;

/** The delivery that an attempt belongs to. */
export interface AttemptedDelivery {
  /** Number of attempts, including this one. */
  attempts: number;
  /** Whether an operator replayed the delivery. A replay does not change `failing_since` of the webhook. */
  replayed: boolean;
  webhook: { disabled_at: number | null; failing_since: number | null };
}

/** The changes that follow from an attempt. */
export interface AttemptOutcome {
  state: DeliveryState;
  dueAt: number | null;
  failingSince: number | null;
  /** Set if the webhook must be disabled. */
  disable?: DisabledWhy;
}

const gone = 410;

/**
 * Decides how an attempt changes the delivery and its webhook.
 * @param now milliseconds since 1970
 * @param random from 0 to 1
 */
export function decideOutcome(
  attempt: Attempt,
  { attempts, replayed, webhook }: AttemptedDelivery,
  now: number,
  random: number,
): AttemptOutcome {
  const { failing_since: before, disabled_at } = webhook;
  if (isSuccess(attempt)) return { state: 'delivered', dueAt: null, failingSince: replayed ? before : null };

  const failingSince = replayed ? before : (before ?? attempt.at);
  const disable = whyDisable(attempt, replayed ? null : failingSince, now);
  if (disable && disabled_at === null) return { state: 'paused', dueAt: null, failingSince, disable };
  if (disabled_at !== null) return { state: 'paused', dueAt: null, failingSince };

  const { status, retryAfterMs, problem } = attempt;
  const delay = retryDelay(attempts, { status, retryAfterMs, timedOut: problem === 'timeout' }, random);
  return delay === undefined
    ? { state: 'exhausted', dueAt: null, failingSince }
    : { state: 'waiting', dueAt: now + delay, failingSince };
}

function whyDisable({ status }: Attempt, failingSince: number | null, now: number): DisabledWhy | undefined {
  if (status === gone) return 'gone';
  return failingSince !== null && now - failingSince >= failureToleranceMs ? 'failing' : undefined;
}
