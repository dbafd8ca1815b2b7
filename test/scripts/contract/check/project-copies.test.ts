import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CheckOutcome } from '../../../../scripts/contract/check/check.ts';
import { applyPatch, copyProject, type Patch } from '../../../../scripts/lib/project-copy.ts';
import { type EndedCommand, runCommand } from '../../../support/run-command.ts';
import { isLong } from '../../../support/sampling.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';
import {
  addEntry,
  currentVersion,
  nextMajorVersion,
  nextMinorVersion,
  nextVersion,
  type ProposedChange,
  proposedChanges,
  setVersion,
  shorterName,
} from './proposed-changes.ts';

/**
 * Defines a slow test that runs only in `npm run test:long`. `npm test` runs a similar case, and unit tests cover the
 * same code.
 */
const longTest = test.runIf(isLong);

const check = (cwd: string, ...given: string[]) => runCommand(['check', ...given], { cwd });

/** Creates a copy of the project with a proposed change, and returns its folder. */
async function propose({ patches, generated }: ProposedChange): Promise<string> {
  const folder = join(await temporaryFolder(), 'a copy');
  await copyProject(folder);
  for (const patch of patches) await applyPatch(folder, patch);
  if (generated) await runCommand(['generate'], { cwd: folder });
  return folder;
}

const base = ['--base', resolve('openapi/openapi.yaml')];
const only = (...names: string[]) => names.flatMap((name) => ['--only', name]);

const outcomesIn = ({ out }: EndedCommand): Record<string, CheckOutcome> => {
  const { outcomes }: { outcomes: CheckOutcome[] } = JSON.parse(out);
  return Object.fromEntries(outcomes.map((outcome) => [outcome.check, outcome]));
};

/** Whether a finding is no note about the analysis of a consumer, such as the guides. */
const isAboutContract = ({ rule }: CheckOutcome['findings'][number]): boolean => rule !== 'manifest-escapes';

longTest('passes a compatible change with a new version and a changelog entry', async () => {
  const folder = await propose(proposedChanges.harmless);
  const ran = await check(folder, ...base, ...only('lint', 'generated', 'examples', 'changes'));
  expect(ran.out).toContain('✔ All 4 checks passed.');
  expect(ran.err).toContain('0 breaking changes, 0 additions, ');
  expect(ran.code).toBe(0);
});

test('reports a breaking change with its line, a counterexample, the operations and the required version', async () => {
  const folder = await propose({ ...proposedChanges.breaking, generated: false });
  const report = join(folder, 'report.md');
  const ran = await check(folder, ...base, ...only('changes'), '--markdown', report, '--github');
  expect(ran.code).toBe(1);
  const line = lineOf(folder, 'openapi/contacts.yaml', /^ {4}Name:$/) + 2;
  expect(ran.out).toContain(`\nerror changes/schema-constraint-changed openapi/contacts.yaml:${line}:7\n`);
  expect(ran.out).toMatch(/maxLength .*changed from '255' to '200'\. \(.*POST \/api\/v1\/contacts/);
  expect(ran.out).toMatch(
    /counterexample: \{"first_name":"a+…\n {6}as POST \/api\/v1\/contacts body application\/json it was valid, and is rejected now/,
  );
  expect(ran.out).toContain(
    `info.version is ${nextVersion}; the changes since ${currentVersion} require ${nextMajorVersion}.`,
  );
  expect(ran.out).toContain(
    `::error file=openapi/contacts.yaml,line=${line},col=7,title=changes/schema-constraint-changed::`,
  );
  expect(readFileSync(report, 'utf8')).toContain(
    `\n### Breaking changes\n\n- ❌ **changes/schema-constraint-changed** \`openapi/contacts.yaml:${line}\``,
  );
});

longTest('reports stale generated files, and a change without a changelog entry', async () => {
  const folder = await propose(proposedChanges.stale);
  const ran = await check(folder, ...base, ...only('generated', 'changes'), '--json');
  const { generated, changes } = outcomesIn(ran);
  expect(generated?.findings.map(({ rule, file, fix }) => [rule, file, fix])).toContainEqual([
    'generated-stale',
    'generated/types.ts',
    'Run: npm run generate',
  ]);
  expect(changes?.findings.map(({ rule }) => rule)).toEqual(['version-too-low', 'changelog-without-entry']);
  expect(ran.code).toBe(1);
});

longTest('reports an invalid example with its file, line and reason', async () => {
  const folder = await propose(proposedChanges['wrong example']);
  const ran = await check(folder, ...base, ...only('examples', 'lint'), '--json');
  expect(outcomesIn(ran).examples?.findings).toEqual([
    expect.objectContaining({
      rule: 'example-does-not-fit',
      message: expect.stringContaining('/first_name must be a string or null'),
      file: 'openapi/contacts.yaml',
      line: lineOf(folder, 'openapi/contacts.yaml', /^ {4}ContactCreateFull:$/) + 2,
    }),
  ]);
  expect(ran.code).toBe(1);
});

test('finds differences between service and contract by sending requests, and prints a curl command', async () => {
  const folder = await propose(proposedChanges['drifted server']);
  const ran = await check(folder, ...base, ...only('conformance', 'workflows'), '--json');
  const { conformance, workflows } = outcomesIn(ran);
  expect(conformance?.findings).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(/^getContact: .*500/),
      file: 'openapi/contacts.yaml',
      details: [expect.stringMatching(/^curl -i .*-H "Authorization: \$AUTHORIZATION"/)],
    }),
  );
  expect(workflows?.findings).toContainEqual(
    expect.objectContaining({
      message: expect.stringContaining('lose-an-update, read: '),
      file: 'openapi/workflows/lose-an-update.yaml',
    }),
  );
  expect(ran.code).toBe(1);
});

test('without --base, compares a branch with its merge base with main, and main with its previous commit', async () => {
  const folder = await propose({ ...proposedChanges.breaking, generated: false });
  const git = (...given: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...given], {
      cwd: folder,
    });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', 'openapi', 'package.json');
  await git('commit', '--quiet', '--message', 'As it is');
  await git('checkout', '--quiet', '-b', 'shorter');
  await applyPatch(folder, shorterName(200, 100));
  await git('commit', '--quiet', '--all', '--message', 'Shorter');
  const ran = await check(folder, ...only('changes'), '--json');
  const { changes } = outcomesIn(ran);
  expect(changes?.summary).toMatch(
    /^1 breaking change, .* since the merge base with main \([0-9a-f]{12}\): at least a major version$/,
  );
  expect(changes?.findings[0]).toMatchObject({
    file: 'openapi/contacts.yaml',
    line: lineOf(folder, 'openapi/contacts.yaml', /^ {4}Name:$/) + 2,
    message: expect.stringContaining("from '200' to '100'"),
  });
  const since = await check(folder, ...only('changes'), '--base', 'HEAD');
  expect([since.code, since.err]).toEqual([
    0,
    expect.stringMatching(/nothing has changed since HEAD \([0-9a-f]{12}\)/),
  ]);

  await git('checkout', '--quiet', 'main');
  await git('merge', '--quiet', '--no-ff', '--message', 'Merge', 'shorter');
  const merged = outcomesIn(await check(folder, ...only('changes'), '--json')).changes;
  expect(merged?.summary).toMatch(/^1 breaking change, .* since the previous commit on main /);
  expect(merged?.findings.map(({ rule }) => rule)).toContain('version-too-low');
});

/** Returns the number of the first line of a file that matches. */
const lineOf = (folder: string, file: string, wanted: RegExp): number =>
  readFileSync(join(folder, file), 'utf8')
    .split('\n')
    .findIndex((line) => wanted.test(line)) + 1;

const deprecatedGet = (sunset: string): Patch => ({
  file: 'openapi/fields.yaml',
  from: '      operationId: listCustomFields\n',
  to: `      operationId: listCustomFields\n      deprecated: true\n      x-deprecated-since: '2025-01-01'\n      x-sunset: '${sunset}'\n`,
});

longTest.each([
  ['2026-01-01', nextMinorVersion, 0, 'note', 'Its sunset was 2026-01-01.'],
  ['2999-01-01', nextMajorVersion, 1, 'error', 'Its sunset is 2999-01-01.'],
])(
  'removing a path with the sunset date %s in version %s exits with code %i',
  async (sunset, version, code, severity, said) => {
    const before = await propose({ patches: [deprecatedGet(sunset)], generated: false });
    const after = await propose({
      patches: [
        setVersion(version),
        {
          file: 'openapi/openapi.yaml',
          from: '  /api/v1/fields:\n    $ref: fields.yaml#/paths/~1api~1v1~1fields\n',
          to: '',
        },
        addEntry(version, '`/api/v1/fields` is gone.'),
      ],
      generated: false,
    });
    const ran = await check(
      after,
      '--base',
      join(before, 'openapi/openapi.yaml'),
      ...only('changes'),
      '--json',
    );
    const { changes } = outcomesIn(ran);
    expect(changes?.findings.filter(isAboutContract)).toEqual([
      expect.objectContaining({ rule: 'path-removed', severity, message: expect.stringContaining(said) }),
    ]);
    expect(ran.code).toBe(code);
  },
);

longTest(
  'passes a breaking change with a major version and a changelog entry, and reports it as a warning',
  async () => {
    const { patches } = proposedChanges.breaking;
    const folder = await propose({
      patches: patches.map(({ file, from, to }) => ({
        file,
        from,
        to: to
          .replaceAll(nextVersion, nextMajorVersion)
          .replace('Names are shorter.', 'A first_name is shorter.'),
      })),
      generated: false,
    });
    const ran = await check(folder, ...base, ...only('changes'), '--json');
    const found = outcomesIn(ran).changes?.findings.filter(isAboutContract);
    expect(found?.map(({ severity, rule }) => [severity, rule])).toEqual([
      ['warning', 'schema-constraint-changed'],
    ]);
    expect(ran.code).toBe(0);
  },
);

longTest(
  'reports changed parameters of a path and of an operation in the files that define them',
  async () => {
    const folder = await propose({
      patches: [
        { file: 'openapi/common.yaml', from: 'maximum: 100\n', to: 'maximum: 90\n' },
        {
          file: 'openapi/common.yaml',
          from: '        type: string\n      example: checkout-7f3a\n',
          to: '        type: string\n        maxLength: 100\n      example: checkout-7f3a\n',
        },
      ],
      generated: false,
    });
    const { changes } = outcomesIn(await check(folder, ...base, ...only('changes'), '--json'));
    expect(
      changes?.findings
        .filter(({ rule }) => rule === 'schema-constraint-changed')
        .map(({ file, line }) => [file, line])
        .sort(),
    ).toEqual(
      [/^ {8}maximum: 90$/, /^ {8}maxLength: 100$/].map((line) => [
        'openapi/common.yaml',
        lineOf(folder, 'openapi/common.yaml', line),
      ]),
    );
  },
);

test('writes the report even if a reference in the contract cannot be resolved', async () => {
  const folder = await propose({
    patches: [
      {
        file: 'openapi/fields.yaml',
        from: "'#/components/responses/CustomFields'",
        to: 'nowhere.yaml',
      },
    ],
    generated: false,
  });
  const report = join(folder, 'report.md');
  const ran = await check(folder, ...base, ...only('lint', 'examples', 'changes'), '--markdown', report);
  expect(ran.code).toBe(2);
  expect(ran.out).toMatch(/^error lint\/no-unresolved-refs openapi\/fields\.yaml:\d+/m);
  expect(ran.out).toContain('lint fails; examples, changes could not run.');
  expect(readFileSync(report, 'utf8')).toContain('## Contract check: lint, examples, changes have failed');
});

longTest('writes the report as SARIF', async () => {
  const folder = await propose(proposedChanges['wrong example']);
  const file = join(folder, 'report.sarif');
  await check(folder, ...base, '--only', 'examples', '--sarif', file);
  const { version, runs } = JSON.parse(readFileSync(file, 'utf8'));
  expect([version, runs.length, runs[0].tool.driver.rules]).toEqual([
    '2.1.0',
    1,
    [{ id: 'examples/example-does-not-fit' }],
  ]);
  expect(runs[0].results[0]).toMatchObject({
    ruleId: 'examples/example-does-not-fit',
    ruleIndex: 0,
    level: 'error',
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'openapi/contacts.yaml' },
          region: { startLine: lineOf(folder, 'openapi/contacts.yaml', /^ {4}ContactCreateFull:$/) + 2 },
        },
      },
    ],
  });
});
