import type { Fault } from '../fault.ts';

/** What somebody gets wrong in commands and settings. */
export const operationFaults: readonly Fault[] = [
  {
    name: 'an import with one bad line ends with the exit code 0',
    by: 'test/operator/import.test.ts > the command reads a file or standard input, sums up, and ends with 1 where a line was bad',
    where: 'operation',
    file: 'server/operator/import.ts',
    from: 'if (tally.bad > 0) around.exitCode = 1;',
    to: 'if (tally.bad > 1) around.exitCode = 1;',
  },
  {
    name: 'messages that were imported before are not known again, so the same file cannot be imported twice',
    by: 'test/operator/import.test.ts > the same file can be imported again, also after a break, and nothing is doubled',
    where: 'operation',
    file: 'server/imports/known.ts',
    from: '    keys[entry.kind].add(entry.key);\n',
    to: "    if (entry.kind !== 'message') keys[entry.kind].add(entry.key);\n",
  },
  {
    name: 'the setting for failed authentications is ignored, the one for all requests is taken',
    by: 'test/config.test.ts > without any variable the service is what the README says',
    where: 'operation',
    file: 'server/config.ts',
    from: "failuresPerMinute: value('failuresPerMinute'),",
    to: "failuresPerMinute: value('ratePerMinute'),",
  },
  {
    name: 'webhooks may use http unless the operator forbids it',
    by: 'test/config.test.ts > without any variable the service is what the README says',
    where: 'operation',
    file: 'server/config.ts',
    from: "    usual: 'no',",
    to: "    usual: 'yes',",
  },
];
