import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { contractConfig } from '../../../../parley-contract.config.ts';
import {
  type Check,
  type CheckContext,
  type Finding,
  SkippedCheck,
} from '../../../../scripts/contract/check/check.ts';
import { contractChecks } from '../../../../scripts/contract/check/registry.ts';
import { summaryLine } from '../../../../scripts/contract/check/reports/text.ts';
import { exitCodeOf, runChecks } from '../../../../scripts/contract/check/run.ts';

const nothing = (): never => {
  throw new Error('must not run');
};
const context: CheckContext = {
  api: 'x.yaml',
  config: contractConfig,
  policy: { redocly: 'redocly.yaml' },
  isOwn: true,
  base: undefined,
  sources: nothing,
  contract: nothing,
  service: nothing,
  today: '2026-11-22',
};
const made = (name: string, run: Check['run']): Check => ({ name, question: '', forAny: true, run });
const finding = (severity: Finding['severity']): Finding => ({
  rule: 'r',
  severity,
  message: 'm',
  fix: 'n',
});

const good = made('good', async () => ({ findings: [], summary: 'all' }));
const warning = made('warning', async () => ({
  findings: [finding('warning'), finding('note')],
  summary: '',
}));
const wrong = made('wrong', async () => ({ findings: [finding('error')], summary: '' }));
const absent = made('absent', async () => {
  throw new SkippedCheck('nothing is recorded');
});
const broken = made('broken', async () => {
  throw new Error('no such program');
});

async function codeOf(...chosen: Check[]) {
  const outcomes = await runChecks(chosen, context, () => {});
  return {
    code: exitCodeOf(outcomes, chosen, true),
    states: outcomes.map(({ state }) => state),
    verdict: summaryLine(outcomes),
  };
}

test('the exit code is 1 if a check fails, and 0 if there are only warnings', async () => {
  expect(await codeOf(good, warning)).toMatchObject({ code: 0, states: ['passed', 'passed'] });
  expect(await codeOf(good, wrong)).toMatchObject({ code: 1, states: ['passed', 'failed'] });
});

test('a check that cannot run or is skipped does not pass, and the other checks continue', async () => {
  expect(await codeOf(broken, good)).toMatchObject({ code: 1, states: ['could not run', 'passed'] });
  expect(await codeOf(absent, good)).toMatchObject({ code: 3, states: ['not run', 'passed'] });
  expect((await codeOf(absent, good)).verdict).toContain('absent was not run. 1 of 2 checks passed.');
});

test('every check has a file named after it, and is registered', () => {
  const files = readdirSync('scripts/contract/check/checks').map((file) => file.replace('.ts', ''));
  expect(contractChecks.map(({ name }) => name).sort()).toEqual(files.sort());
});
