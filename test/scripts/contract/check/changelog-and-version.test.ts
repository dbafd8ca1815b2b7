import { expect, test } from 'vitest';
import { checkChangelog, checkVersion } from '../../../../scripts/contract/check/check-release.ts';

test.each([
  ['none', '1.2.3', '1.2.3', undefined],
  ['patch', '1.2.3', '1.2.3', 'Set version: 1.2.4'],
  ['patch', '1.2.3', '1.2.4', undefined],
  ['patch', '1.2.3', '1.3.0', undefined],
  ['minor', '1.2.3', '1.2.4', 'Set version: 1.3.0'],
  ['minor', '1.2.3', '1.3.0', undefined],
  ['major', '1.2.3', '1.9.9', 'Set version: 2.0.0'],
  ['major', '1.2.3', '2.0.0', undefined],
  ['major', '9.2.3', '10.0.0', undefined],
  ['patch', '1.9.9', '1.10.0', undefined],
  ['none', '1.2.3', '1.2.2', 'Write 1.2.3.'],
  ['patch', '1.2.3', 'next', 'Write three numbers.'],
  ['patch', '', '1.2.3', 'Compare with a contract that has one.'],
] as const)('for a required %s bump from %s to %s, the remedy is %s', (needed, before, after, fix) => {
  expect(checkVersion(needed, { before, after })?.fix).toBe(fix);
});

const log = `# Changelog

## 2026-11-22 · 1.2.0

- Contacts have a \`nickname\`, and GET /contacts is faster.

## 2026-01-01 · 1.1.0

- \`colour\` is new.
`;

const unnamed = { operations: [], base: undefined, revision: undefined, parameter: undefined };
const at = '/paths/~1contacts/get/responses/200/content/application~1json/schema/properties/';

test.each<[string, path: string, version: string, rules: string[]]>([
  ['lists a property', `${at}nickname`, '1.2.0', []],
  ['lists it in the entry of another version only', `${at}colour`, '1.2.0', ['changelog-silent']],
  ['has it inside of a longer word only', `${at}nick`, '1.2.0', ['changelog-silent']],
  ['names an operation by method and path', '/paths/~1contacts/get', '1.2.0', []],
  ['has no entry for the version', `${at}nickname`, '1.2.1', ['changelog-without-entry']],
])('checks a changelog that %s', (_name, path, version, expected) => {
  const operations = path.endsWith('/get') ? ['GET /contacts'] : [];
  const change = { ...unnamed, path, operations };
  for (const found of [
    { breaking: [change], others: [] },
    { breaking: [], others: [{ ...change, impact: 'minor' as const }] },
  ])
    expect(checkChangelog({ ...found, needed: 'minor' }, version, log).map(({ rule }) => rule)).toEqual(
      expected,
    );
});

test('a change that affects no client needs a changelog entry, which need not name the change', () => {
  const others = [{ ...unnamed, path: '/info', impact: 'patch' as const }];
  const check = (version: string) => checkChangelog({ breaking: [], others, needed: 'patch' }, version, log);
  expect(check('1.2.0')).toEqual([]);
  expect(check('1.3.0')[0]?.fix).toBe('Start one with: ## YYYY-MM-DD · 1.3.0');
});

test('reports a missing changelog or date, but only if the contract has changed', () => {
  const rulesFor = (needed: 'minor' | 'none', text?: string) =>
    checkChangelog({ breaking: [], others: [], needed }, '1.2.0', text).map(({ rule }) => rule);
  expect(rulesFor('minor')).toEqual(['changelog-missing']);
  expect(rulesFor('minor', '## 1.2.0\n')).toEqual(['changelog-without-date']);
  expect(rulesFor('none')).toEqual([]);
});
