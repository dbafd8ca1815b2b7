import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { lintDocuments } from '../../../../scripts/contract/lint/lint-documents.ts';
import parleyPlugin from '../../../../scripts/contract/lint/plugin.ts';
import { readYaml, writeDocument, writeFiles } from '../../../support/documents.ts';
import { runCommand } from '../../../support/run-command.ts';
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

test('every function in the folder of the rules is a rule, and redocly.yaml turns all on', async () => {
  const modules = globSync('scripts/contract/lint/rules/*.ts').map((file) => import(resolve(file)));
  const written = (await Promise.all(modules)).flatMap((module) => Object.values(module));
  expect(new Set(written)).toEqual(new Set(Object.values(parleyPlugin().rules.oas3)));
  expect(readYaml('.', 'redocly.yaml').extends).toContain('parley/all');
});

test('lint words violations of examples as all tools do', async () => {
  const schema = {
    ...{ type: 'object', required: ['id'], additionalProperties: false },
    properties: { id: {}, name: { type: 'string', minLength: 1 }, kind: { enum: ['a', 1] } },
  };
  const example = { name: '', kind: 'c', more: 1 };
  const get = {
    operationId: 'getA',
    responses: {
      200: { description: 'A', content: { 'application/json': { schema, example } } },
      // A schema can be true or false. Redocly expects an object.
      202: { description: 'B', content: { 'application/json': { schema: true } } },
    },
  };
  const info = { title: 'A', version: '1.0.0' };
  const api = await writeDocument({ openapi: '3.1.1', info, paths: { '/a': { get } } });
  const config = await writeFiles({
    'redocly.yaml': 'rules: { no-invalid-media-type-examples: error, struct: error }',
  });
  const { out } = await runCommand(['lint', '--api', api, '--config', config]);
  expect(out).not.toContain('boolean');
  const messages = out.match(/The example is invalid: .*/g);
  expect(messages?.toSorted()).toEqual([
    'The example is invalid: id is required.',
    'The example is invalid: kind must be one of: a, 1.',
    'The example is invalid: more is not allowed.',
    'The example is invalid: name must have at least 1 character.',
  ]);
});
