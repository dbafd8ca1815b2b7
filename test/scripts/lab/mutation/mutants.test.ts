import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faults } from '../../../../scripts/lab/mutation/mutants.ts';
import { runSelftest } from '../../../../scripts/lab/mutation/run-mutants.ts';
import { partsOf, stages } from '../../../../scripts/lab/mutation/stages.ts';
import { companyFilters } from '../../../../scripts/lab/mutation/tenant-filter-mutants.ts';
import { applyPatch, copyProject } from '../../../../scripts/lib/project-copy.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

test('every seeded fault fits the source as it is, and they are many, everywhere', () => {
  for (const { name, file, from, to, by } of faults) {
    expect(
      stages.some((each) => each.name === by) || existsSync(partsOf(by)[0] ?? ''),
      `${name}, by ${by}`,
    ).toBe(true);
    expect(readFileSync(file, 'utf8').split(from).length - 1, `${name}, in ${file}`).toBe(1);
    expect(to).not.toBe(from);
  }
  expect(faults.length).toBeGreaterThanOrEqual(30);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
  const places = new Set(faults.map(({ where }) => where));
  expect(places).toEqual(new Set(['contract', 'pipeline', 'feature', 'storage', 'delivery', 'operation']));
});

test('a patch that does not fit is refused, and changes nothing', async () => {
  const folder = join(await temporaryFolder(), 'copy');
  await copyProject(folder, ['package.json', 'LICENSE']);
  const patch = { file: 'LICENSE', from: 'no such text', to: '' };
  await expect(applyPatch(folder, patch)).rejects.toThrow('LICENSE has the text of a patch 0 times');
  expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync('LICENSE', 'utf8'));
});

/** A check that looks at one file: whether it still says what it said. */
const stage = (name: string, file: string, told: string) => ({
  name,
  complaint: async (folder: string) =>
    readFileSync(join(folder, file), 'utf8').includes(told) ? undefined : `${file} no longer says it`,
});

const license = {
  name: 'another licence',
  where: 'operation',
  file: 'LICENSE',
  from: 'MIT License',
  to: 'No',
  by: 'second',
} as const;
const limit = {
  name: 'a limit',
  where: 'feature',
  file: 'server/contract/constants.ts',
  from: '= 100;',
  to: '= 101;',
  by: 'first',
} as const;

test('who notices a fault is told, the copy is mended before the next one, and what nobody notices stays unnoticed', async () => {
  const asked = [stage('first', 'README.md', 'Parley'), stage('second', 'LICENSE', 'MIT License')];
  const results = await runSelftest([license, limit], { stagesFor: () => asked, before: asked, copies: 1 });
  expect(results.map(({ by }) => by)).toEqual([
    { stage: 'second', complaint: 'LICENSE no longer says it' },
    undefined,
  ]);
});

test('where the source itself does not pass, nothing is tried', async () => {
  const strict = [stage('strict', 'README.md', 'no such word')];
  const run = runSelftest([license], { stagesFor: () => strict, before: strict, copies: 2 });
  await expect(run).rejects.toThrow('The source as it is does not pass: strict');
});

test('with several copies each fault is tried once, and told in its place', async () => {
  const asked = [
    stage('first', 'LICENSE', 'MIT License'),
    stage('second', 'server/contract/constants.ts', '= 100;'),
  ];
  const named = ({ by }: { by: string }) =>
    asked.filter(({ name }) => (by === 'second') === (name === 'first'));
  const results = await runSelftest([license, limit, { ...license, name: 'again' }], {
    stagesFor: named,
    before: asked,
    copies: 2,
  });
  expect(results.map(({ fault, by }) => [fault.name, by?.stage])).toEqual([
    ['another licence', 'first'],
    ['a limit', 'second'],
    ['again', 'first'],
  ]);
});

test('finds the conditions on the company in all folders of the storage', () => {
  const folders = companyFilters().map(({ file }) => file.split('/').slice(0, -1).join('/'));
  expect(new Set(folders)).toContain('server/storage/queries');
  expect(folders.length).toBeGreaterThan(50);
});
