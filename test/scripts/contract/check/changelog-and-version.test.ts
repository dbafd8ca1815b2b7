import { expect, test } from 'vitest';
import { checkChangelog } from '../../../../scripts/contract/check/check-changelog.ts';
import { checkVersion } from '../../../../scripts/contract/check/check-version.ts';
import type {
  BreakingChange,
  ContractDiff,
  OtherChange,
} from '../../../../scripts/contract/diff/contract-diff.ts';

test.each([
  ['none', '1.2.3', '1.2.3', undefined],
  ['patch', '1.2.3', '1.2.3', '1.2.4'],
  ['patch', '1.2.3', '1.2.4', undefined],
  ['patch', '1.2.3', '1.3.0', undefined],
  ['minor', '1.2.3', '1.2.4', '1.3.0'],
  ['minor', '1.2.3', '1.3.0', undefined],
  ['major', '1.2.3', '1.9.9', '2.0.0'],
  ['major', '1.2.3', '2.0.0', undefined],
  ['major', '9.2.3', '10.0.0', undefined],
  ['patch', '1.9.9', '1.10.0', undefined],
] as const)(
  'for a required %s bump from %s to %s, reports the minimum version %s',
  (needed, before, after, asked) => {
    const found = checkVersion(needed, { before, after });
    if (asked === undefined) expect(found).toBeUndefined();
    else
      expect(found).toMatchObject({
        rule: 'version-too-low',
        severity: 'error',
        fix: `Set version: ${asked}`,
      });
  },
);

test('reports a version that decreased or is invalid', () => {
  expect(checkVersion('none', { before: '1.2.3', after: '1.2.2' })?.rule).toBe('version-fell');
  expect(checkVersion('patch', { before: '1.2.3', after: 'next' })?.rule).toBe('version-unreadable');
  expect(checkVersion('patch', { before: '', after: '1.2.3' })?.rule).toBe('version-unreadable');
});

const breaking = (path: string, operations: string[] = []): BreakingChange => ({
  rule: 'x',
  message: '',
  path,
  proof: { kind: 'none', reason: '' },
  plannedRemoval: undefined,
  parameter: undefined,
  affected: { schema: undefined, properties: [], uses: [] },
  operations,
});
const added = (path: string, impact: OtherChange['impact'] = 'minor'): OtherChange => ({
  impact,
  path,
  base: undefined,
  revision: undefined,
  operations: [],
  parameter: undefined,
});
const changes = (some: Partial<ContractDiff>): ContractDiff => ({
  breaking: [],
  undecided: [],
  others: [],
  needed: 'minor',
  ...some,
});
const rules = (...given: Parameters<typeof checkChangelog>) =>
  checkChangelog(...given).map(({ rule }) => rule);

const log = `# Changelog

## 2026-11-22 · 1.2.0

- Contacts have a \`nickname\`.

## 2026-01-01 · 1.1.0

- \`colour\` is new.
`;

test('accepts a dated changelog entry for the new version if the entry lists the additions', () => {
  const found = changes({
    others: [
      added('/paths/~1contacts/get/responses/200/content/application~1json/schema/items/properties/nickname'),
    ],
  });
  expect(rules(found, '1.2.0', log)).toEqual([]);
});

test('the changelog check ignores names in entries of other versions and inside longer words', () => {
  const at = '/paths/~1contacts/get/responses/200/content/application~1json/schema/properties/';
  expect(rules(changes({ breaking: [breaking(`${at}colour`)] }), '1.2.0', log)).toEqual(['changelog-silent']);
  expect(rules(changes({ breaking: [breaking(`${at}nick`)] }), '1.2.0', log)).toEqual(['changelog-silent']);
});

test('a changelog entry can identify an operation by its method and path', () => {
  const told = log.replace('nickname', 'GET /contacts');
  expect(
    rules(changes({ breaking: [breaking('/paths/~1contacts/get', ['GET /contacts'])] }), '1.2.0', told),
  ).toEqual([]);
});

test('a change that affects no client needs a changelog entry, which need not name the change', () => {
  const found = changes({ others: [added('/info/description', 'patch')], needed: 'patch' });
  expect(rules(found, '1.2.0', log)).toEqual([]);
  expect(rules(found, '1.2.1', log)).toEqual(['changelog-without-entry']);
});

test('reports a missing changelog, entry or date, but only if the contract has changed', () => {
  expect(rules(changes({}), '1.2.0', undefined)).toEqual(['changelog-missing']);
  expect(checkChangelog(changes({}), '1.3.0', log)[0]?.fix).toBe('Start one with: ## YYYY-MM-DD · 1.3.0');
  expect(rules(changes({}), '1.2.0', '## 1.2.0\n')).toEqual(['changelog-without-date']);
  expect(rules(changes({ needed: 'none' }), '9.9.9', undefined)).toEqual([]);
});
