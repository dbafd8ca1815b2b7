import type { Mutant } from '../mutant.ts';

/** Bugs in commands and settings. */
export const operatorMutants: readonly Mutant[] = [
  {
    name: 'a command prints text unescaped',
    killedBy:
      'test/server/operator/hostile-output.test.ts > no command prints control characters or forged lines from its data or arguments',
    declaration: 'printableLines',
    from: "text.split('\\n').map(replaceControlCharacters).join('\\n')",
    to: "text.split('\\n').join('\\n')",
  },
  {
    name: 'a restore revives revoked tokens',
    killedBy:
      'test/server/operator/backup.sqlite.test.ts > restore repeats revocations and erasures that are newer than the backup',
    declaration: 'applyErasure',
    from: 'revokeToken(db, companyId, id, erasure.erased_at)',
    to: 'false',
  },
  {
    name: 'an erasure is applied to another contact with the same ID',
    killedBy:
      'test/server/operator/backup.sqlite.test.ts > erasure apply does not erase a different entity that has the same ID as a listed one',
    declaration: 'applyErasures',
    from: 'if (found?.entity_created_at !== erasure.entity_created_at) continue;',
    to: 'if (!found) continue;',
  },
  {
    name: 'a restored database can be read by all users',
    killedBy:
      "test/server/operator/backup.sqlite.test.ts > a restored database has the file mode of the replaced database, regardless of the backup's mode",
    declaration: 'restore',
    from: 'chmodSync(draft, statSync(file).mode & 0o777);',
    to: 'chmodSync(draft, 0o644);',
  },
  {
    name: 'an import with one invalid line exits with 0',
    killedBy:
      'test/server/operator/import.test.ts > reads a file or standard input, prints a summary, and exits with 1 if a line was invalid',
    declaration: 'importFile',
    from: 'tally.bad > 0',
    to: 'tally.bad > 1',
  },
  {
    name: 'known import keys of messages are not recognized, so importing a file again fails',
    killedBy:
      'test/server/operator/import.test.ts > importing the same file again creates no duplicates, even after an interruption',
    declaration: 'findExistingRecords',
    from: '    keys[entry.kind].add(entry.key);\n',
    to: "    if (entry.kind !== 'message') keys[entry.kind].add(entry.key);\n",
  },
  {
    name: 'failed authentications are limited by the setting for all requests',
    killedBy: 'test/server/config/config.test.ts > reads every setting from its environment variable',
    declaration: 'variables',
    from: "name: 'PARLEY_AUTH_FAILURES_PER_MINUTE',",
    to: "name: 'PARLEY_RATE_PER_MINUTE',",
  },
  {
    name: 'webhooks may use http by default',
    killedBy: 'test/server/config/config.test.ts > returns the default of every setting',
    declaration: 'variables',
    from: "    defaultValue: 'no',",
    to: "    defaultValue: 'yes',",
  },
];
