import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CheckOutcome, Finding } from '../../../../scripts/contract/check/check.ts';
import { formatMarkdown } from '../../../../scripts/contract/check/reports/markdown.ts';
import { formatTextReport } from '../../../../scripts/contract/check/reports/text.ts';
import { createSourceMap } from '../../../../scripts/contract/load/source-map.ts';

const finding: Finding = {
  rule: 'rule',
  severity: 'error',
  message: 'it <b>broke</b>, @everyone: 100%\nand `more`',
  fix: 'fix | it',
  file: 'a, b:c.yaml',
  line: 3,
  column: 5,
  details: ['counterexample: "```"'],
};
const outcome = (some: Partial<CheckOutcome>): CheckOutcome => ({
  check: 'changes',
  state: 'failed',
  findings: [],
  summary: 'all',
  seconds: 1,
  ...some,
});

test('shortens a report that is too long for a GitHub comment, and says so', () => {
  const many = Array.from({ length: 40 }, () => ({ ...finding, message: 'x'.repeat(3_000) }));
  const text = formatMarkdown([outcome({ findings: many })]);
  expect(text.length).toBeLessThan(65_536);
  expect(text).toContain('the report is too long for GitHub');
});

test.each([
  ['/paths/~1api~1v1~1contacts/get/parameters/1/name', 'openapi/common.yaml', 'name: page'],
  ['/paths/~1api~1v1~1contacts/get/no/such/place', 'openapi/contacts.yaml', 'get:'],
])('finds the file and line of %s, or of its deepest part that exists', async (path, file, begins) => {
  const location = await createSourceMap('openapi/openapi.yaml').locate(path);
  expect(location.file).toBe(file);
  expect(readFileSync(file, 'utf8').split('\n')[location.line - 1]?.trim().startsWith(begins)).toBe(true);
});

test('reports breaking changes first, and truncates counterexamples', () => {
  const stale: Finding = { rule: 'stale', severity: 'error', message: 'It is stale.', fix: 'Generate it.' };
  const undecided: Finding = { ...finding, rule: 'pattern', severity: 'warning', undecided: true };
  const long: Finding = { ...finding, details: [`counterexample: ${'x'.repeat(500)}`] };
  const outcomes = [
    outcome({ check: 'generated', findings: [stale] }),
    outcome({ findings: [undecided, long, { ...finding, severity: 'note', rule: 'removed in time' }] }),
  ];
  const text = formatTextReport(outcomes);
  expect(text.indexOf('changes/rule')).toBeLessThan(text.indexOf('generated/stale'));
  expect(Math.max(...text.split('\n').map(({ length }) => length))).toBeLessThan(130);
  const headings = formatMarkdown(outcomes).match(/^### .*$/gm);
  expect(headings).toEqual([
    '### Breaking changes',
    '### Undecided changes',
    '### Other findings',
    '### Checks',
  ]);
});
