import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import parleyPlugin from '../../../../scripts/contract/lint/plugin.ts';
import { runRedocly } from '../../../../scripts/lib/redocly-cli.ts';

const folder = 'test/scripts/contract/lint/documents';
const rules = Object.keys(parleyPlugin().rules.oas3);
/** Test documents: `RULE.yaml` and `RULE.CASE.yaml` violate `RULE`; `valid.yaml` and its cases violate no rule. */
const documents = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .sort();
const ruleOf = (document: string): string => basename(document).split('.')[0] ?? '';

/** Parley's rules that each document violates, by document path. */
const broken = new Map<string, Set<string>>();

beforeAll(async () => {
  const { output } = await runRedocly([
    'lint',
    ...['--config', 'test/scripts/contract/lint/redocly.yaml'],
    ...['--format', 'json'],
    ...documents.map((name) => `${folder}/${name}`),
  ]);
  for (const [index, { problems }] of reportsIn(output).entries())
    broken.set(documents[index] ?? '', new Set(problems.map(({ ruleId }) => ruleId)));
});

interface Report {
  problems: { ruleId: string }[];
}

/** Redocly prints one report after another, without a separator. */
const reportsIn = (text: string): Report[] =>
  JSON.parse(`[${text.trim().replaceAll(/\}\s*\{\n {2}"totals"/g, '},{\n  "totals"')}]`);

test.each(documents)('%s violates only the rule in its name, or no rule if it is valid', (document) => {
  const expected = ruleOf(document) === 'valid' ? [] : [`parley/${ruleOf(document)}`];
  expect([...(broken.get(document) ?? [])]).toEqual(expected);
});

test('every rule has a document that violates it', () => {
  expect(rules.filter((rule) => !documents.includes(`${rule}.yaml`))).toEqual([]);
});

test('every rule has a file with its name, and redocly.yaml sets its severity to error', async () => {
  const files = await readdir('scripts/contract/lint/rules');
  expect(files.sort()).toEqual(rules.map((rule) => `${rule}.ts`).sort());
  const configured = parse(await readFile('redocly.yaml', 'utf8')).rules;
  for (const rule of rules) expect(configured[`parley/${rule}`], rule).toBe('error');
});

test('every rule that redocly.yaml disables has a comment with the reason', async () => {
  const lines = (await readFile('redocly.yaml', 'utf8')).split('\n');
  for (const line of lines.filter((line) => /: off\b/.test(line))) expect(line).toMatch(/: off +# \S+ \S+/);
  expect(await readdir('.')).not.toContain('.redocly.lint-ignore.yaml');
});
