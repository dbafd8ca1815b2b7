import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runCommand } from '../../../support/run-command.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

/* What `check --only changes` compares with, in the situations of continuous integration. */

const run = promisify(execFile);

interface Repository {
  folder: string;
  git: (...given: string[]) => Promise<string>;
  /** Adds an operation to the contract, and commits. */
  commitPath: (name: string) => Promise<void>;
}

const gitIn =
  (cwd: string) =>
  async (...given: string[]): Promise<string> =>
    (await run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...given], { cwd })).stdout;

async function createRepository(): Promise<Repository> {
  const folder = join(await temporaryFolder(), 'my project');
  await mkdir(folder);
  const git = gitIn(folder);
  await git('init', '--quiet', '--initial-branch', 'main');
  // As the guide shows it.
  await writeFile(join(folder, 'redocly.yaml'), 'extends: [recommended]\n');
  const contract = join(folder, 'openapi.json');
  const commitPath = async (name: string) => {
    const { paths: onDisk = {} } = await readFile(contract, 'utf8').then(JSON.parse, () => ({}));
    const item = { get: { operationId: name, responses: { 200: { description: 'Yes.' } } } };
    const document = {
      openapi: '3.1.1',
      info: { title: 'T', version: '1' },
      paths: { ...onDisk, [`/${name}`]: item },
    };
    await writeFile(contract, JSON.stringify(document));
    await git('add', '--all');
    await git('commit', '--quiet', '--message', name);
  };
  return { folder, git, commitPath };
}

const check = (cwd: string, ...given: string[]) =>
  runCommand(['check', '--api', 'openapi.json', '--only', 'changes', ...given], { cwd });

/** A branch that adds an operation, while main gains another one. */
async function branchOf({ git, commitPath }: Repository): Promise<void> {
  await commitPath('first');
  await git('checkout', '--quiet', '-b', 'feature');
  await commitPath('ours');
  await git('checkout', '--quiet', 'main');
  await commitPath('theirs');
  await git('checkout', '--quiet', 'feature');
}

test('--base REVISION is the commit where HEAD left it: what it gained since is no removal', async () => {
  const repository = await createRepository();
  await branchOf(repository);
  const { code, err } = await check(repository.folder, '--base', 'main');
  expect([code, err]).toEqual([0, expect.stringMatching(/0 breaking changes, 1 addition/)]);
});

test('without --base, compares a branch with its merge base with main, and main with its previous commit', async () => {
  const repository = await createRepository();
  await branchOf(repository);
  const { folder, git } = repository;
  expect((await check(folder)).err).toMatch(/1 addition, .* since the merge base with main \([0-9a-f]{12}\)/);
  expect((await check(folder, '--base', 'HEAD')).err).toMatch(
    /nothing has changed since HEAD \([0-9a-f]{12}\)/,
  );
  await git('checkout', '--quiet', 'main');
  expect((await check(folder)).err).toMatch(/1 addition, .* since the previous commit /);
});

test.each([
  ['master', 'the merge base with master'],
  ['trunk', 'the previous commit'],
])(
  'without a branch main, compares a branch with where it left master, or else with the previous commit: %s',
  async (main, expected) => {
    const repository = await createRepository();
    await branchOf(repository);
    const { folder, git } = repository;
    await git('branch', '--quiet', '--move', 'main', main);
    expect((await check(folder)).err).toContain(`1 addition, 0 others since ${expected} (`);
    await git('checkout', '--quiet', main);
    expect((await check(folder)).err).toContain('1 addition, 0 others since the previous commit (');
  },
);

test('the first commit says that there is nothing to compare with, and what to do', async () => {
  const repository = await createRepository();
  await repository.commitPath('first');
  const { err } = await check(repository.folder);
  expect(err).toMatch(/not run: there is no earlier commit.*use --skip changes/);
});

test('a contract that the base lacks is named, with what to do', async () => {
  const { folder, git, commitPath } = await createRepository();
  await commitPath('first');
  await cp(join(folder, 'openapi.json'), join(folder, 'moved.json'));
  await git('add', '--all');
  await git('commit', '--quiet', '--message', 'Move');
  const { err } = await check(folder, '--api', 'moved.json');
  expect(err).toMatch(/has no moved\.json\. If it was moved, set --base/);
});

test.each([
  ['without --base', []],
  ['with --base', ['--base', 'origin/main']],
])('a shallow clone gets the command that fetches the commits, %s', async (_name, given) => {
  const repository = await createRepository();
  await branchOf(repository);
  const clone = join(await temporaryFolder(), 'clone');
  const url = pathToFileURL(repository.folder).href;
  await run('git', ['clone', '--quiet', '--depth', '1', '--branch', 'feature', url, clone]);
  expect(await check(clone, ...given)).toMatchObject({
    code: 2,
    err: expect.stringContaining('--unshallow'),
  });
});

test('the default branch of the remote can have any name', async () => {
  const repository = await createRepository();
  await repository.commitPath('first');
  await repository.git('branch', '--quiet', '--move', 'trunk');
  const clone = join(await temporaryFolder(), 'clone');
  await run('git', ['clone', '--quiet', pathToFileURL(repository.folder).href, clone]);
  const inClone = gitIn(clone);
  await inClone('checkout', '--quiet', '-b', 'feature');
  await writeFile(join(clone, 'note.txt'), '');
  await inClone('add', '--all');
  await inClone('commit', '--quiet', '--message', 'n');
  const { code, err } = await check(clone);
  expect([code, err]).toEqual([0, expect.stringContaining('nothing has changed since the merge base')]);
});
