import type { Mutant } from '../mutant.ts';

/** Bugs in shared rate limits, database failover, rolling upgrades, and queries for large data sets. */
export const multiProcessMutants: readonly Mutant[] = [
  {
    name: 'requests during a synchronization of rate limits do not count',
    killedBy:
      'test/server/rate-limit/shared-buckets.test.ts > counts tokens that are taken during a synchronization',
    declaration: 'createRateLimiter',
    from: 'level: level - (unsynced.get(key)?.cost ?? 0)',
    to: 'level',
  },
  {
    name: 'use that could not be synchronized is lost',
    killedBy:
      'test/server/rate-limit/shared-buckets.test.ts > includes the tokens of a failed synchronization in the next one',
    declaration: 'syncBuckets',
    from: '    limiter.restoreUnsynced(spent);\n',
    to: '',
  },
  {
    name: 'limits are synchronized once a minute',
    killedBy:
      'test/system/concurrency/multi-process.test.ts > two processes share a rate limit, except for one additional burst',
    declaration: 'startBucketSync',
    from: 'setInterval(share, everyMs)',
    to: 'setInterval(share, 60 * everyMs)',
  },
  {
    name: 'the debt of a bucket exceeds five minutes',
    killedBy:
      'test/server/rate-limit/shared-buckets.test.ts > limits the debt of a bucket to five minutes, even in its first synchronization',
    declaration: 'maxOwedMinutes',
    from: 'const maxOwedMinutes = 5;',
    to: 'const maxOwedMinutes = 50;',
  },
  {
    name: 'lists with a date range include anonymous contacts',
    killedBy:
      'test/server/storage/queries/created-between.test.ts > lists a page of a creation-time range in order of ID, regardless of the order of creation',
    declaration: 'isCreatedWithin',
    from: "if (table === 'contacts' && !includeAnonymous)",
    to: "if (table !== 'contacts' && !includeAnonymous)",
  },
  {
    name: 'the index query contains a trigram that matches need not have',
    killedBy:
      'test/server/features/contacts/search-large-dataset.test.ts > a search in thousands of contacts finds the same contacts as a scan of every search text',
    declaration: 'rarestTrigrams',
    from: 'trigrams: chosen.map(({ trigram }) => trigram)',
    to: "trigrams: chosen.map(({ trigram }) => trigram).concat('and')",
  },
  {
    name: 'a slow database counts as lost',
    killedBy:
      'test/server/storage/postgres/failover-detector.postgres.test.ts > does not mistake a slow database for a lost one',
    declaration: 'detectFailover',
    from: 'if (other && known === undefined) {',
    to: 'if (known === undefined) {',
  },
  {
    name: 'a write to a standby is an internal error',
    killedBy:
      'test/server/storage/postgres/standby.postgres.test.ts > serves reads and returns 503 for writes on a standby, and accepts writes after its promotion',
    declaration: 'postgresToStoreError',
    from: 'if (isReadOnly(error) || unavailable',
    to: 'if (code === readOnly || unavailable',
  },
  {
    name: 'an older program rejects a database with an expand migration',
    killedBy:
      'test/server/storage/migrations/rolling-upgrade.test.ts > older and newer versions use one database, until a contract migration excludes the older one',
    declaration: 'isCompatibleAfter',
    from: '  if (additive.test(step)) return true;\n',
    to: '',
  },
];
