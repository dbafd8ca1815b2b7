import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckOutcome } from '../../../../scripts/contract/check/check.ts';
import { writeFiles } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/* What `check` reports about changes of small contracts. */

/** An operation with a limit, and one that is announced to be removed. Lines 6, 9 and 11 have what the tests change. */
const contract = `openapi: 3.1.1
info: { title: Notes, version: 1.0.0 }
paths:
  /notes:
    get:
      parameters: [{ $ref: 'common.yaml#/Limit' }]
      responses:
        '200':
          description: Notes.
          content: { application/json: { schema: { type: array, items: { type: string } }, example: [a] } }
  /old: { get: { deprecated: true, x-deprecated-since: '2025-01-01', x-sunset: SUNSET, responses: { '204': { description: '' } } } }
`;
const common = 'Limit: { name: limit, in: query, schema: { type: integer, maximum: 100 } }\n';

/** Writes a contract and its base, and runs the check. @param changed returns the new text of the contract */
async function check(
  only: readonly string[],
  changed: (contract: string) => string,
  {
    sunset = '2026-01-01',
    limit = common,
    policy = 'x-contract-check: { version: semver, changelog: CHANGELOG.md }',
    more = [],
  }: { sunset?: string; limit?: string; policy?: string; more?: string[] } = {},
) {
  const before = contract.replace('SUNSET', `'${sunset}'`);
  const after = changed(before);
  const [, version] = /version: ([\d.]+)/.exec(after) ?? [];
  const api = await writeFiles({
    'openapi.yaml': after,
    'common.yaml': limit,
    'base/openapi.yaml': before,
    'base/common.yaml': common,
    'redocly.yaml': `extends: [minimal]\n${policy}\n`,
    'CHANGELOG.md': `# Changelog\n\n## 2026-11-22 · ${version}\n\nThe limit of notes is smaller, and /old is gone.\n`,
  });
  const at = (name: string) => join(dirname(api), name);
  const given = ['--api', api, '--base', at('base/openapi.yaml'), '--config', at('redocly.yaml')];
  const ran = await runCommand(['check', '--only', ...only, ...given, ...more]);
  const report = (): CheckOutcome[] => JSON.parse(ran.out).outcomes;
  return { ...ran, findings: () => report().flatMap(({ findings }) => findings) };
}

const withVersion = (version: string) => (text: string) => text.replace('1.0.0', version);
const withoutOld = (version: string) => (text: string) =>
  withVersion(version)(text.replace(/ {2}\/old.*\n/, ''));
const narrower = common.replace('100', '90');
const json = { more: ['--json'] };

const cases: Record<string, [change: Parameters<typeof check>[1], given: object, code: number, RegExp]> = {
  'a limit in a minor version': [
    withVersion('1.1.0'),
    { limit: narrower },
    1,
    /^error schema-constraint-changed .* increase the major version.*\nerror version-too-low .*\nerror changelog-without-entry /,
  ],
  'a limit in a major version': [
    withVersion('2.0.0'),
    { limit: narrower },
    0,
    /^warning schema-constraint-changed The version announces it\..*$/,
  ],
  'a limit in a major version, without a policy': [
    withVersion('2.0.0'),
    { limit: narrower, policy: '' },
    1,
    /^error schema-constraint-changed .* Otherwise set x-contract-check: { version: semver } in redocly\.yaml, and increase the major version in info\.version\.$/,
  ],
  'a removal after its sunset': [withoutOld('1.1.0'), {}, 0, /^note path-removed .* announced in time\.$/],
  'a removal before its sunset': [
    withoutOld('2.0.0'),
    { sunset: '2999-01-01' },
    1,
    /^error path-removed Keep it until 2999-01-01: .*$/,
  ],
  'another description in a patch': [
    (text) => withVersion('1.0.1')(text).replace('Notes.', 'All.'),
    {},
    0,
    /^$/,
  ],
};

test.each(Object.entries(cases))(
  '%s has the right findings and exit code',
  async (_name, [changed, given, code, found]) => {
    const ran = await check(['changes'], changed, { ...given, ...json });
    expect(ran.code).toBe(code);
    const lines = ran.findings().map(({ rule, severity, fix }) => `${severity} ${rule} ${fix}`);
    expect(lines.join('\n')).toMatch(found);
  },
);

test('reports a breaking change in its file, with a counterexample, the operation, the remedy and the version', async () => {
  const report = join(await temporaryFolder(), 'report.md');
  const given = { limit: `\n${narrower}`, more: ['--markdown', report] };
  const { code, out } = await check(['changes'], withVersion('1.1.0'), given);
  expect(code).toBe(1);
  expect(out).toMatch(
    new RegExp(
      [
        '^error changes/schema-constraint-changed .*/common\\.yaml:2:59',
        "  Upper bound changed from '<= 100' to '<= 90'\\. \\(GET /notes\\)",
        '    counterexample: \\d+',
        '      as GET /notes query limit it was valid, and is rejected now',
      ].join('\n'),
      'm',
    ),
  );
  expect(out).toContain('→ Keep the old limit: clients send or expect values within it.');
  expect(out).toContain('the changes since 1.0.0 require 2.0.0.');
  expect(readFileSync(report, 'utf8')).toMatch(
    /\n### Breaking changes\n\n- ❌ \*\*changes\/schema-constraint-changed\*\* `.*\/common\.yaml:2`/,
  );
});

test('reports an invalid example with its file, line and reason, also as SARIF', async () => {
  const sarif = join(await temporaryFolder(), 'report.sarif');
  const wrong = (text: string) => text.replace('[a]', '[7]');
  const { code, findings } = await check(['examples'], wrong, { more: ['--json', '--sarif', sarif] });
  expect(code).toBe(1);
  const [{ message, file } = expect.fail(), ...others] = findings();
  expect([others, message]).toEqual([[], expect.stringContaining('/0 must be a string')]);
  const { version, runs } = JSON.parse(readFileSync(sarif, 'utf8'));
  expect([version, runs.length, runs[0].tool.driver.rules]).toEqual([
    '2.1.0',
    1,
    [{ id: 'examples/example-does-not-fit' }],
  ]);
  const physicalLocation = {
    artifactLocation: { uri: file?.split('/').map(encodeURIComponent).join('/') },
    region: { startLine: 10 },
  };
  expect(runs[0].results[0]).toMatchObject({
    ...{ ruleId: 'examples/example-does-not-fit', ruleIndex: 0, level: 'error' },
    locations: [{ physicalLocation }],
  });
});

test('writes the report even if a reference in the contract cannot be resolved', async () => {
  const dangling = (text: string) => text.replace('common.yaml', 'nowhere.yaml');
  const report = join(await temporaryFolder(), 'report.md');
  const ran = await check(['lint', 'examples', 'changes'], dangling, { more: ['--markdown', report] });
  expect(ran.code).toBe(2);
  expect(ran.out).toMatch(/^error lint\/no-unresolved-refs .*openapi\.yaml:6/m);
  expect(ran.out).toContain('lint fails; examples, changes could not run.');
  expect(readFileSync(report, 'utf8')).toContain(
    '## Contract check: lint fails; examples, changes could not run. 0 of 3 checks passed.',
  );
});
