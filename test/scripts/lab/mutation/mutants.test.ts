import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { mutants } from '../../../../scripts/lab/mutation/mutants.ts';
import { patchFor } from '../../../../scripts/lab/mutation/patch-for.ts';
import { runMutants } from '../../../../scripts/lab/mutation/run-mutants.ts';
import { parseKilledBy, stages } from '../../../../scripts/lab/mutation/stages.ts';
import { tenantFilterMutants } from '../../../../scripts/lab/mutation/tenant-filter-mutants.ts';
import { applyPatch, copyProject } from '../../../../scripts/lib/project-copy.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('every mutant applies to the current source', () => {
  for (const mutant of mutants) {
    const { name, killedBy } = mutant;
    expect(
      stages.some((each) => each.name === killedBy) || hasTest(killedBy),
      `${name}, by ${killedBy}`,
    ).toBe(true);
    const { file, from, to } = patchFor(mutant);
    expect(readFileSync(file, 'utf8').split(from), `${name}, in ${file}`).toHaveLength(2);
    expect(to).not.toBe(from);
  }
  expect(mutants.length).toBeGreaterThanOrEqual(30);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

/** Whether the test exists. Titles of repeated tests contain placeholders, such as `%s`, `$name` or `${name}`. */
function hasTest(killedBy: string): boolean {
  const [file = '', title = ''] = parseKilledBy(killedBy);
  if (!existsSync(file)) return false;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) titles.push(node.text);
    if (ts.isTemplateExpression(node))
      titles.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('%s'));
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles.some((text) => {
    const parts = text.split(/%[a-z]|\$\w+/);
    const isSpecific = parts.join('').length > 10;
    return isSpecific && title.startsWith(parts[0] ?? '') && parts.every((part) => title.includes(part));
  });
}

test('finds a mutant by its declaration, regardless of spacing and trailing commas', () => {
  const limit = { name: 'a limit', killedBy: 'types' } as const;
  const found = patchFor({ ...limit, declaration: 'maxWebhooks', from: '=\n  100 ', to: '= 101' });
  expect(found).toEqual({
    file: 'server/contract/constants.ts',
    from: 'export const maxWebhooks = 100;',
    to: 'export const maxWebhooks = 101;',
  });
  expect(() => patchFor({ ...limit, declaration: 'noSuchFunction', from: 'a', to: 'b' })).toThrow('nowhere');
  expect(() => patchFor({ ...limit, declaration: 'maxWebhooks', from: '101', to: 'b' })).toThrow(
    'does not apply',
  );
});

test('rejects a patch that does not apply, and changes nothing', async () => {
  const folder = join(await temporaryFolder(), 'copy');
  await copyProject(folder, ['package.json', 'LICENSE']);
  const patch = { file: 'LICENSE', from: 'no such text', to: '' };
  await expect(applyPatch(folder, patch)).rejects.toThrow('LICENSE contains the text of a patch 0 times');
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
});

/** Returns a stage that fails if a file no longer contains a text. */
const stage = (name: string, file: string, told: string) => ({
  name,
  findFailure: async (folder: string) =>
    readFileSync(join(folder, file), 'utf8').includes(told) ? undefined : `${file} no longer says it`,
});

const license = {
  name: 'another licence',
  area: 'operator',
  file: 'LICENSE',
  from: 'MIT License',
  to: 'No',
  killedBy: 'second',
} as const;
const limit = {
  name: 'a limit',
  area: 'feature',
  file: 'server/contract/constants.ts',
  from: '= 100;',
  to: '= 101;',
  killedBy: 'first',
} as const;

test('reports the stage that kills a mutant, and restores the copy before the next mutant', async () => {
  const asked = [stage('first', 'README.md', 'Parley'), stage('second', 'LICENSE', 'MIT License')];
  const results = await runMutants([license, limit], { stagesFor: () => asked, before: asked, copies: 1 });
  expect(results.map(({ killedBy }) => killedBy)).toEqual([
    { stage: 'second', violation: 'LICENSE no longer says it' },
    undefined,
  ]);
});

test('runs no mutant if a check fails on the unchanged source', async () => {
  const strict = [stage('strict', 'README.md', 'no such word')];
  const run = runMutants([license], { stagesFor: () => strict, before: strict, copies: 2 });
  await expect(run).rejects.toThrow('The unchanged source does not pass: strict');
});

test('distributes mutants over several copies, and reports results in the order of the mutants', async () => {
  const asked = [
    stage('first', 'LICENSE', 'MIT License'),
    stage('second', 'server/contract/constants.ts', '= 100;'),
  ];
  const named = ({ killedBy }: { killedBy: string }) =>
    asked.filter(({ name }) => (killedBy === 'second') === (name === 'first'));
  const results = await runMutants([license, limit, { ...license, name: 'again' }], {
    stagesFor: named,
    before: asked,
    copies: 2,
  });
  expect(results.map(({ mutant, killedBy }) => [mutant.name, killedBy?.stage])).toEqual([
    ['another licence', 'first'],
    ['a limit', 'second'],
    ['again', 'first'],
  ]);
});

test('derives mutants from the tenant-isolation conditions of the storage queries', () => {
  const folders = tenantFilterMutants().map(({ file }) => file.split('/').slice(0, -1).join('/'));
  expect(new Set(folders)).toContain('server/storage/queries');
  expect(folders.length).toBeGreaterThan(50);
});
