import { expect, test } from 'vitest';
import { createAuthLimits } from '../../../../server/security/auth/auth-limits.ts';

test.each([
  [1_200, 200, 60],
  [1, 1, 1],
  [0, 500, 500],
])('with %i requests per minute, allows %i at once, and %i failures', (ratePerMinute, requests, failures) => {
  const limits = createAuthLimits(ratePerMinute, () => 0);
  const allowed = (limiter: typeof limits.tokens) =>
    Array.from({ length: 500 }, () => limiter.take('a')).filter(({ allowed: isAllowed }) => isAllowed).length;
  expect([allowed(limits.tokens), allowed(limits.failures)]).toEqual([requests, failures]);
});
