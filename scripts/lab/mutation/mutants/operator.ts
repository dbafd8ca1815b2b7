import type { Mutant } from '../mutant.ts';

/** Bugs in commands and settings. */
export const operatorMutants: readonly Mutant[] = [
  {
    name: 'a command prints text as it is',
    killedBy:
      'test/server/operator/hostile-output.test.ts > no command prints what a terminal obeys, or lines that its data forged',
    area: 'operator',
    file: 'server/lib/terminal.ts',
    from: "text.split('\\n').map(escapeControlCharacters).join('\\n')",
    to: "text.split('\\n').join('\\n')",
  },
  {
    name: 'a restore revives revoked tokens',
    killedBy:
      'test/server/operator/backup.sqlite.test.ts > restore revokes and erases again what was revoked and erased after the backup',
    area: 'operator',
    file: 'server/privacy/apply-erasures.ts',
    from: 'revokeToken(db, companyId, id, erasure.erased_at)',
    to: 'false',
  },
  {
    name: 'an erasure is applied to another contact with the same id',
    killedBy:
      'test/server/operator/backup.sqlite.test.ts > a list of erasures erases no other entity that has the same id',
    area: 'operator',
    file: 'server/privacy/apply-erasures.ts',
    from: 'if (found?.entity_created_at !== erasure.entity_created_at) continue;',
    to: 'if (!found) continue;',
  },
  {
    name: 'a restored database can be read by all users',
    killedBy:
      'test/server/operator/backup.sqlite.test.ts > a restored database is as private as the one before, regardless of the mode of the backup',
    area: 'operator',
    file: 'server/operator/restore.ts',
    from: 'chmodSync(made, statSync(file).mode & 0o777);',
    to: 'chmodSync(made, 0o644);',
  },
  {
    name: 'an import with one bad line ends with the exit code 0',
    killedBy:
      'test/server/operator/import.test.ts > the command reads a file or standard input, sums up, and ends with 1 where a line was bad',
    area: 'operator',
    file: 'server/operator/import.ts',
    from: 'if (tally.bad > 0) around.exitCode = 1;',
    to: 'if (tally.bad > 1) around.exitCode = 1;',
  },
  {
    name: 'messages that were imported before are not known again, so the same file cannot be imported twice',
    killedBy:
      'test/server/operator/import.test.ts > the same file can be imported again, also after a break, and nothing is doubled',
    area: 'operator',
    file: 'server/import/existing-records.ts',
    from: '    keys[entry.kind].add(entry.key);\n',
    to: "    if (entry.kind !== 'message') keys[entry.kind].add(entry.key);\n",
  },
  {
    name: 'the setting for failed authentications is ignored, the one for all requests is taken',
    killedBy: 'test/server/config/config.test.ts > every variable is read',
    area: 'operator',
    file: 'server/config/config.ts',
    from: "name: 'PARLEY_AUTH_FAILURES_PER_MINUTE',",
    to: "name: 'PARLEY_RATE_PER_MINUTE',",
  },
  {
    name: 'webhooks may use http unless the operator forbids it',
    killedBy: 'test/server/config/config.test.ts > without any variable the service is what the README says',
    area: 'operator',
    file: 'server/config/config.ts',
    from: "    defaultValue: 'no',",
    to: "    defaultValue: 'yes',",
  },
];
