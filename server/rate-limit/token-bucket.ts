/** A token bucket: it fills steadily, up to a burst, and each request takes some out (D33). */
export interface RateLimitPolicy {
  /** Names the limit in the headers. */
  name: string;
  perMinute: number;
  burst: number;
}

interface Taken {
  allowed: boolean;
  /** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), and `Retry-After` where refused. */
  headers: Record<string, string>;
  /** Whole seconds until the request would be allowed; 0 where it is. */
  retryAfter: number;
}

interface Bucket {
  /** How much is left; the burst at the most, less than nothing where other processes have taken it, too. */
  level: number;
  /** When that was, in milliseconds. */
  at: number;
}

// A bucket is about 100 bytes. The one that was used longest ago goes first: it is as good as full.
const maxBuckets = 100_000;

/** What was taken from a bucket, and since when, in milliseconds since 1970. */
interface Told {
  key: string;
  cost: number;
  since: number;
}

export type RateLimiter = ReturnType<typeof createRateLimiter>;

/**
 * Buckets of one policy in this process, by key. With no limit (`perMinute` 0) everything is allowed. Other processes
 * have buckets of their own; what was taken is told to them, and theirs learnt, by share-limits.ts.
 */
export function createRateLimiter(policy: RateLimitPolicy, now: () => number) {
  const buckets = new Map<string, Bucket>();
  // What was taken and not told yet, and since when.
  const untold = new Map<string, { cost: number; since: number }>();

  function keep(key: string, bucket: Bucket): void {
    // While there is room for as many more, their order does not matter yet.
    if (buckets.size > maxBuckets / 2) buckets.delete(key);
    if (buckets.size >= maxBuckets)
      for (const oldest of buckets.keys()) {
        buckets.delete(oldest);
        untold.delete(oldest);
        break;
      }
    buckets.set(key, bucket);
  }

  function note(key: string, cost: number, since: number): void {
    const before = untold.get(key);
    untold.set(key, { cost: cost + (before?.cost ?? 0), since: Math.min(since, before?.since ?? since) });
  }

  return {
    policy,
    take(key: string, cost = 1): Taken {
      if (policy.perMinute === 0) return { allowed: true, headers: {}, retryAfter: 0 };
      const at = now();
      const { bucket, taken } = takeTokens(buckets.get(key), policy, cost, at);
      keep(key, bucket);
      if (taken.allowed) note(key, cost, at);
      return taken;
    },
    /** What was taken since it was asked the last time; of very many those from which most was taken. */
    tell(most: number): Told[] {
      const spent = Array.from(untold, ([key, told]) => ({ key, ...told }));
      const told =
        spent.length > most ? spent.sort((one, other) => other.cost - one.cost).slice(0, most) : spent;
      for (const { key } of told) untold.delete(key);
      return told;
    },
    /** What could not be told: it will be, the next time. */
    takeBack(told: readonly Told[]): void {
      for (const { key, cost, since } of told) if (buckets.has(key)) note(key, cost, since);
    },
    /** What is left over all processes; what was taken here meanwhile is not counted in it yet. */
    learn(known: readonly ({ key: string } & Bucket)[]): void {
      for (const { key, level, at } of known) keep(key, { level: level - (untold.get(key)?.cost ?? 0), at });
    },
  };
}

/** What a request does to a bucket. */
export function takeTokens(
  bucket: Bucket | undefined,
  policy: RateLimitPolicy,
  cost: number,
  now: number,
): { bucket: Bucket; taken: Taken } {
  const level = levelAt(bucket, policy, now);
  const allowed = level >= cost;
  const left = allowed ? level - cost : level;
  const perSecond = policy.perMinute / 60;
  const retryAfter = allowed ? 0 : Math.max(1, Math.ceil((cost - level) / perSecond));
  const headers = {
    'RateLimit-Policy': `"${policy.name}";q=${policy.perMinute};w=60`,
    RateLimit: `"${policy.name}";r=${Math.max(0, Math.floor(left))};t=${Math.ceil((policy.burst - left) / perSecond)}`,
    ...(allowed ? {} : { 'Retry-After': String(retryAfter) }),
  };
  return { bucket: { level: left, at: now }, taken: { allowed, headers, retryAfter } };
}

function levelAt(bucket: Bucket | undefined, { burst, perMinute }: RateLimitPolicy, now: number): number {
  if (!bucket) return burst;
  // A clock that was set back must not empty anyone's bucket.
  const elapsed = Math.max(0, now - bucket.at);
  return Math.min(burst, bucket.level + (elapsed * perMinute) / 60_000);
}
