import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { once } from '../scripts/lib/once.ts';
import { writeFilesTo } from './support/documents.ts';
import { importedFile } from './support/imported-file.ts';
import { afterAllTests, temporaryFolder } from './support/temporary-folder.ts';
import {
  changesSinceBase,
  inputsOf,
  inputsOfSlowTests,
  isChangedSinceBase,
  unchangedTests,
} from './support/unchanged-tests.ts';

const slowTests = Object.keys(inputsOfSlowTests);
const packageTest = 'test/scripts/package/package.test.ts';

/** Returns the files of the project that a file imports, directly or indirectly. */
function importedBy(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file) || !existsSync(file)) return found;
  found.add(file);
  const text = /\.m?ts$/.test(file) ? readFileSync(file, 'utf8') : '';
  for (const [, path] of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g))
    importedBy(importedFile(file, path ?? ''), found);
  return found;
}

test.each(slowTests)('the inputs of %s exist, and include all that it imports', (file) => {
  for (const input of inputsOf(file)) expect(statSync(input).isDirectory(), input).toBe(input.endsWith('/'));
  const imported = [...importedBy(file)];
  expect(imported).toContain(file);
  expect(imported.filter((path) => !isChangedSinceBase(inputsOf(file), { paths: [path] }))).toEqual([]);
});

/** Returns a copy of a repository whose branch `main` has two commits. */
async function repository() {
  const folder = await temporaryFolder();
  await cp(await made(), folder, { recursive: true });
  return useRepository(folder);
}

const made = once(async () => {
  const folder = await temporaryFolder(afterAllTests);
  const { git, commit } = useRepository(folder);
  await git('init', '--quiet', '--initial-branch', 'main');
  await commit('a.txt', 'b.txt', '.gitignore');
  await commit('c.txt');
  return folder;
});

function useRepository(folder: string) {
  const git = (...given: string[]) =>
    promisify(execFile)('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...given], {
      cwd: folder,
    });
  const write = (path: string) => writeFilesTo(folder, { [path]: `${Math.random()}` });
  const commit = async (...paths: string[]) => {
    for (const path of paths) await write(path);
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'A change');
  };
  return { folder, git, write, commit };
}

test('on a branch, lists committed, uncommitted and untracked files that differ from main', async () => {
  const { folder, git, write, commit } = await repository();
  await git('checkout', '--quiet', '-b', 'a-branch');
  await commit('d/e.txt');
  expect(await changesSinceBase(folder)).toEqual({ base: 'main', paths: ['d/e.txt'] });
  await git('mv', 'b.txt', 'moved.txt');
  await write('a.txt');
  await write('un tracked/ü.txt');
  const changes = await changesSinceBase(folder);
  expect(changes?.paths.sort()).toEqual(['a.txt', 'b.txt', 'd/e.txt', 'moved.txt', 'un tracked/ü.txt']);
});

test('on main, compares with the previous commit', async () => {
  const { folder, write } = await repository();
  await write('b.txt');
  expect(await changesSinceBase(folder)).toEqual({ base: 'the previous commit', paths: ['b.txt', 'c.txt'] });
});

test('skips tests of unchanged files, except those that an argument names', async () => {
  const { folder, write } = await repository();
  expect(await unchangedTests([], folder)).toEqual({ base: 'the previous commit', tests: slowTests });
  expect((await unchangedTests(['run', 'test/scripts/package/'], folder)).tests).not.toContain(packageTest);
  await write('scripts/lib/a.ts');
  expect((await unchangedTests([], folder)).tests).not.toContain(packageTest);
});

test('skips nothing where the changes are unknown', async () => {
  const expectUnknown = async (folder: string, where: string) => {
    expect(await changesSinceBase(folder), where).toBeUndefined();
    expect(await unchangedTests([], folder), where).toEqual({ base: '', tests: [] });
  };
  await expectUnknown(await temporaryFolder(), 'outside of a repository');
  const { folder, git } = await repository();
  await mkdir(join(folder, 'copy'));
  await expectUnknown(join(folder, 'copy'), 'in a folder inside another repository');
  const clone = await temporaryFolder();
  await git('clone', '--quiet', '--depth', '1', `file://${folder}`, clone);
  await expectUnknown(clone, 'in a shallow clone');
  await git('branch', '--move', 'trunk');
  await expectUnknown(folder, 'without a branch main');
});
