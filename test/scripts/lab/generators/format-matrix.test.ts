import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadContract } from '../../../../scripts/contract/load/load-contract.ts';
import { withDefaults } from '../../../../scripts/contract/read-config.ts';
import { loadMock } from '../../../../scripts/contract/survive/load-mock.ts';
import { wireScenarios } from '../../../../scripts/contract/survive/wire-scenarios.ts';
import { clientGenerators } from '../../../../scripts/lab/generators/catalog.ts';
import { formatMatrix, replaceMatrix, versionOf } from '../../../../scripts/lab/generators/format-matrix.ts';
import { contractFile } from '../../../../scripts/lab/generators/prepare-generator.ts';

const mock = await loadMock(await loadContract(contractFile), withDefaults({}), contractFile);
const scenarios = [...mock.scenarios, ...wireScenarios];
const [first, second] = clientGenerators;
if (!first || !second) throw new Error('The catalog has fewer than two generators.');

test('the matrix names what a client cannot handle, and with which options it can', () => {
  const problem = {
    kind: 'wrong value' as const,
    message: 'The client took a page in HTML for data: "<html>"',
  };
  const matrix = formatMatrix(
    [
      { generator: first, cells: [{ scenario: 'login-page', problem, remedies: ['parseAs', 'strict'] }] },
      { generator: second, cells: [{ scenario: 'login-page', problem: undefined, remedies: [] }] },
    ],
    scenarios,
  );
  expect(matrix.split('\n')).toEqual([
    '| generator | scenario | what happens | survives with |',
    '| --- | --- | --- | --- |',
    `| ${versionOf(first)} | \`login-page\` | wrong value: The client took a page in HTML for data | parseAs, or strict |`,
    '',
    `| scenario | class | ${versionOf(first)} | ${versionOf(second)} |`,
    '| --- | --- | --- | --- |',
    '| `login-page` | intermediary | wrong value | ✔ |',
  ]);
  expect(replaceMatrix('# Guide\n\n## Results\n\nold\n', matrix)).toBe(
    `# Guide\n\n## Results\n\n${matrix}\n`,
  );
});

test('the guide has the generators, versions and scenarios of the command', () => {
  const guide = readFileSync('openapi/guides/client-generators.md', 'utf8');
  const command = 'The guide is not current. Run: npm run test:generators -- --write';
  expect(guide, command).toContain(`| scenario | class | ${clientGenerators.map(versionOf).join(' | ')} |`);
  const shown = [...guide.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
  expect(shown, command).toEqual(scenarios.map(({ name }) => name));
});
