import type { DeliveryState } from '../storage/delivery-states.ts';
import type { WebhookRow } from '../storage/queries/webhooks.ts';
import type { DisabledWhy } from '../storage/tables/webhooks.ts';
import { type Attempt, isSuccess } from './attempt.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** The delay before each attempt, in milliseconds after the previous attempt (D45). */
export const retryDelays = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

/** Relative jitter of delays, so that deliveries that failed together are retried at different times. */
export const jitter = 0.2;

/** Maximum delay that a receiver can ask for. */
export const maxWaitMs = day;

/** Maximum delay between two attempts. */
export const maxRetryDelayMs = Math.max(maxWaitMs, ...retryDelays) * (1 + jitter);

/** Minimum delay after a timeout or a response that reports overload, in milliseconds. */
export const overloadedWaitMs = minute;

const overloaded: readonly (number | undefined)[] = [429, 502, 504];

/**
 * Returns the delay after a failed attempt before the next one, in milliseconds.
 * @param attempts number of attempts so far
 * @param random from 0 to 1
 * @returns undefined after the last attempt
 */
function retryDelay(
  attempts: number,
  { status, problem, retryAfterMs = 0 }: Attempt,
  random: number,
): number | undefined {
  const step = retryDelays[attempts];
  if (step === undefined) return undefined;
  const least = problem === 'timeout' || overloaded.includes(status) ? overloadedWaitMs : 0;
  const jittered = step * (1 - jitter + 2 * jitter * random);
  return Math.round(Math.max(jittered, least, Math.min(retryAfterMs, maxWaitMs)));
}

/** The longest time from the first to the last attempt of a delivery. */
const longestRetriesMs = retryDelays.reduce<number>((all, delay) => all + delay, 0) * (1 + jitter);

/**
 * A webhook whose attempts have failed for this long is disabled (D47), in whole days. It is at least a day longer than
 * the retries of a delivery, so that an outage exhausts deliveries before it disables the webhook.
 */
export const failureToleranceMs = (Math.ceil(longestRetriesMs / day) + 1) * day;

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

  const delay = retryDelay(attempts, attempt, random);
  return delay === undefined
    ? { state: 'exhausted', dueAt: null, failingSince }
    : { state: 'waiting', dueAt: now + delay, failingSince };
}

function whyDisable({ status }: Attempt, failingSince: number | null, now: number): DisabledWhy | undefined {
  if (status === gone) return 'gone';
  return failingSince !== null && now - failingSince >= failureToleranceMs ? 'failing' : undefined;
}

/** The outcome for a webhook that was deleted or erased. */
export const canceled: AttemptOutcome = { state: 'canceled', dueAt: null, failingSince: null };

/**
 * Adapts the outcome if the URL or method of the webhook has changed since the request. The old URL's response does not
 * affect the webhook's health, and an event that the old URL rejected is sent to the new one (D49).
 */
export function outcomeAfterChange(
  webhook: WebhookRow,
  called: WebhookRow,
  verdict: AttemptOutcome,
  now: number,
): AttemptOutcome {
  const { url, verb_id, disabled_at, failing_since: failingSince } = webhook;
  if (url === called.url && verb_id === called.verb_id) return verdict;
  if (verdict.state === 'delivered') return { state: 'delivered', dueAt: null, failingSince };
  return disabled_at === null
    ? { state: 'waiting', dueAt: now, failingSince }
    : { state: 'paused', dueAt: null, failingSince };
}
