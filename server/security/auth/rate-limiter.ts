/** The settings of token buckets. A bucket refills steadily up to its burst, and requests take tokens from it (D33). */
export interface RateLimitPolicy {
  /** The name of the limit in headers. */
  name: string;
  perMinute: number;
  burst: number;
}

interface Taken {
  allowed: boolean;
  /**
   * `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` for rejected
   * requests.
   */
  headers: Record<string, string>;
  /** Seconds until the request would be allowed; 0 if it is allowed. */
  retryAfter: number;
}

interface Bucket {
  /** The tokens left: at most the burst, negative after a request that cost more than a full bucket. */
  level: number;
  /** When the bucket had this level, in milliseconds. */
  at: number;
}

// Limits memory use: a bucket takes about 100 bytes. The least recently used bucket is removed first, because it has
// almost refilled.
const maxBuckets = 100_000;

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Creates a rate limiter, which has one bucket per key. A `perMinute` of 0 means no limit. Other processes have buckets of
 * their own, so N of them allow N times the limit.
 */
export function createRateLimiter(policy: RateLimitPolicy, now: () => number) {
  const buckets = new Map<string, Bucket>();

  function keep(key: string, bucket: Bucket): void {
    // Deleting the bucket first moves it to the end, which orders the map by last use. This is needed only once the map
    // is half full.
    if (buckets.size > maxBuckets / 2) buckets.delete(key);
    if (buckets.size >= maxBuckets)
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest);
        break;
      }
    buckets.set(key, bucket);
  }

  return {
    /**
     * Takes the tokens of a request.
     * @param perMinute another limit for this key. Its burst changes in proportion.
     */
    take(key: string, cost = 1, perMinute = policy.perMinute): Taken {
      if (policy.perMinute === 0) return { allowed: true, headers: {}, retryAfter: 0 };
      const own =
        perMinute === policy.perMinute
          ? policy
          : { ...policy, perMinute, burst: (policy.burst * perMinute) / policy.perMinute };
      const { bucket, taken } = takeTokens(buckets.get(key), own, cost, now());
      keep(key, bucket);
      return taken;
    },
  };
}

/**
 * Takes the tokens of a request from a bucket if it has enough, or if it is full and the request costs more than a full
 * bucket. Returns the new bucket.
 */
export function takeTokens(
  bucket: Bucket | undefined,
  policy: RateLimitPolicy,
  cost: number,
  now: number,
): { bucket: Bucket; taken: Taken } {
  const level = levelAt(bucket, policy, now);
  const needed = Math.min(cost, policy.burst);
  const allowed = level >= needed;
  const left = allowed ? level - cost : level;
  const perSecond = policy.perMinute / 60;
  const retryAfter = allowed ? 0 : Math.max(1, Math.ceil((needed - level) / perSecond));
  const headers = {
    'RateLimit-Policy': `"${policy.name}";q=${policy.perMinute};w=60`,
    RateLimit: `"${policy.name}";r=${Math.max(0, Math.floor(left))};t=${Math.ceil((policy.burst - left) / perSecond)}`,
    ...(allowed ? {} : { 'Retry-After': String(retryAfter) }),
  };
  return { bucket: { level: left, at: now }, taken: { allowed, headers, retryAfter } };
}

function levelAt(bucket: Bucket | undefined, { burst, perMinute }: RateLimitPolicy, now: number): number {
  if (!bucket) return burst;
  // If a clock is set back, buckets must not lose tokens.
  const elapsed = Math.max(0, now - bucket.at);
  return Math.min(burst, bucket.level + (elapsed * perMinute) / 60_000);
}
