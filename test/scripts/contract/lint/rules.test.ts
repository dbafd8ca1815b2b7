import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { lintDocuments } from '../../../../scripts/contract/lint/lint-documents.ts';
import parleyPlugin from '../../../../scripts/contract/lint/plugin.ts';
import { writeFiles } from '../../../support/load-document.ts';
import { readYaml } from '../../../support/read-yaml.ts';
import { afterAllTests } from '../../../support/temporary-folder.ts';

const rules = Object.keys(parleyPlugin().rules.oas3);
const valid = readFileSync('test/scripts/contract/lint/valid.yaml', 'utf8').split('\n');
type Change = Record<string, string[]> & { files?: Record<string, string> };
const changes: Record<string, Change> = readYaml(import.meta.dirname, 'violations.yaml');
const cases = Object.keys(changes);

/** Writes the document of a case into a folder of its own. @returns its path */
function writeCase({ files = {}, ...lines }: Change): Promise<string> {
  for (const line of Object.keys(lines))
    expect(
      valid.filter((each) => each.trim() === line),
      line,
    ).toHaveLength(1);
  const text = valid.flatMap((line) => {
    const indent = line.slice(0, line.search(/\S/));
    return lines[line.trim()]?.map((each) => indent + each) ?? line;
  });
  return writeFiles({ 'openapi.yaml': text.join('\n'), ...files }, afterAllTests);
}

/** Parley's rules that each document violates, by case. */
const broken = new Map<string, Set<string>>();

beforeAll(async () => {
  const files = await Promise.all(Object.values(changes).map(writeCase));
  const problems = await lintDocuments(files, 'test/scripts/contract/lint/redocly.yaml');
  for (const { ruleId, location } of problems) {
    const folder = dirname(resolve(location[0]?.source.ref ?? ''));
    const name = cases[files.findIndex((file) => dirname(file) === folder)] ?? '';
    broken.set(name, (broken.get(name) ?? new Set()).add(ruleId));
  }
});

test.each(cases)('%s violates only the rule in its name, or no rule if it is valid', (name) => {
  const [rule] = name.split('.');
  expect([...(broken.get(name) ?? [])]).toEqual(rule === 'valid' ? [] : [`parley/${rule}`]);
});

test('every rule has a document that violates it', () => {
  expect(rules.filter((rule) => !cases.includes(rule))).toEqual([]);
});

test('every rule has a file with its name, and redocly.yaml turns all on', async () => {
  const files = await readdir('scripts/contract/lint/rules');
  expect(files.sort()).toEqual(rules.map((rule) => `${rule}.ts`).sort());
  expect(readYaml('.', 'redocly.yaml').extends).toContain('parley/all');
});
