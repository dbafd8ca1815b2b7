import type { AuthLimits } from './authenticate.ts';
import { createRateLimiter } from './rate-limiter.ts';

/** The share of the requests per minute that may arrive in one burst. */
const burstShare = 1 / 6;

/** The failed authentications per client network and minute, as a share of the requests of a token. */
const failureShare = 1 / 20;

/**
 * Creates the limits of a process (D33).
 * @param ratePerMinute requests per minute and token; 0 for no limits
 * @param now returns milliseconds since 1970
 */
export function createAuthLimits(ratePerMinute: number, now: () => number): AuthLimits {
  const failuresPerMinute = Math.ceil(ratePerMinute * failureShare);
  return {
    tokens: createRateLimiter(
      {
        name: 'token',
        perMinute: ratePerMinute,
        burst: Math.max(1, Math.round(ratePerMinute * burstShare)),
      },
      now,
    ),
    failures: createRateLimiter(
      { name: 'failures', perMinute: failuresPerMinute, burst: Math.max(1, failuresPerMinute) },
      now,
    ),
  };
}
