import { setTimeout as wait } from 'node:timers/promises';
import type { HttpResponse } from '../requests/send.ts';
import type { SerializedRequest } from '../requests/serialize.ts';
import { TimeIsOver } from '../schema-values/arbitrary.ts';

export interface RateLimitOptions {
  /** Waits before a request is repeated (default: in real time). */
  pause?: ((milliseconds: number) => Promise<unknown>) | undefined;
  /** Returns how much of the run's time is left, in milliseconds. */
  timeLeft: () => number;
  /** Gets a sentence about each wait of more than 2 s. */
  onWait?: ((text: string) => void) | undefined;
}

const minMs = 1_000;
const maxMs = 60_000;
/** Shorter waits are not announced. */
const silentMs = 2_000;

/**
 * Waits until the rate limit of the service permits another request: 1 s to 60 s, as `Retry-After` says.
 * @throws TimeIsOver if the wait would last longer than the run may
 */
export async function waitForRateLimit(
  { method, target }: SerializedRequest,
  { headers }: HttpResponse,
  { pause = wait, timeLeft, onWait }: RateLimitOptions,
): Promise<void> {
  const ms = retryDelay(headers['retry-after'], Date.now());
  const text = `${method} ${target} returned 429, to be repeated in ${Math.ceil(ms / 1_000)} s`;
  if (ms > timeLeft())
    throw new TimeIsOver(`${text}, after the time limit of the run. Turn off the rate limiter, or raise it.`);
  if (ms > silentMs) onWait?.(`${text}: waiting.`);
  await pause(ms);
}

/**
 * Returns the delay before a request is repeated, in milliseconds; 1 s without a valid header.
 * @param header value of `Retry-After`: seconds, or an HTTP date (RFC 9110, section 10.2.3)
 * @param now milliseconds since 1970
 */
function retryDelay(header: string | undefined, now: number): number {
  const text = header?.trim() ?? '';
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? minMs : Math.min(maxMs, Math.max(minMs, ms));
}
