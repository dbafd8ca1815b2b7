import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { copyProject } from '../../lib/project-copy.ts';
import { applyRehearsal } from './apply-rehearsal.ts';
import { allTests, changes, lint, resourceTests, types } from './gates.ts';
import { type Mistake, mistakes } from './mistakes.ts';

export interface MistakeResult {
  mistake: string;
  gate: string;
  seconds: number;
  /** The line of the gate's output that names the mistake; undefined if the gate did not detect it. */
  message: string | undefined;
}

/**
 * Adds a resource to a copy of the project, and then makes each mistake in it.
 * @param options.isFull whether to run all tests on the resource without mistakes, which takes minutes
 * @throws Error if the patch does not apply, or if the resource without mistakes does not pass the gates
 */
export async function runRehearsal({
  isFull,
  onProgress,
}: {
  isFull: boolean;
  onProgress: (text: string) => void;
}): Promise<MistakeResult[]> {
  const parent = await mkdtemp(join(tmpdir(), 'parley rehearsal '));
  try {
    const folder = join(parent, 'copy');
    await copyProject(folder);
    await applyRehearsal(folder);
    if (isFull) {
      // The test of the rehearsal itself expects the source without teams.
      await rm(join(folder, 'test/scripts/lab/rehearsal'), { recursive: true });
      // Some tests need a Git repository, for example to find the base of a contract diff.
      await commitAll(folder);
    }
    for (const gate of [types, lint, changes, ...resourceTests, ...(isFull ? [allTests] : [])]) {
      onProgress(`without mistakes: ${gate.name}`);
      const failure = await gate.findFailure(folder);
      if (failure !== undefined)
        throw new Error(`The new resource does not pass ${gate.name}:\n${telling(failure)}`);
    }
    const results: MistakeResult[] = [];
    for (const mistake of mistakes) {
      onProgress(mistake.name);
      results.push(await makeMistake(folder, mistake));
    }
    return results;
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

async function commitAll(folder: string): Promise<void> {
  const git = (...given: string[]) => promisify(execFile)('git', given, { cwd: folder });
  await git('init', '--quiet', '--initial-branch', 'main');
  await git('add', '--all');
  const author = ['-c', 'user.name=rehearsal', '-c', 'user.email=rehearsal@localhost'];
  await git(...author, 'commit', '--quiet', '--no-verify', '--message', 'Add teams');
}

/** Makes a mistake, runs its gate, and reverts the mistake. */
async function makeMistake(folder: string, { name, patches, gate, says }: Mistake): Promise<MistakeResult> {
  const before = new Map<string, string>();
  for (const patch of patches) {
    const file = await pathIn(folder, patch.file);
    const text = await readFile(file, 'utf8');
    if (!before.has(file)) before.set(file, text);
    const changed = text.replace(patch.from, () => patch.to);
    if (changed === text) throw new Error(`${patch.file} lacks the text of the mistake "${name}".`);
    await writeFile(file, changed);
  }
  const startedAt = performance.now();
  const output = (await gate.findFailure(folder)) ?? '';
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  for (const [file, text] of before) await writeFile(file, text);
  const message = output
    .split('\n')
    .find((line) => says.test(line))
    ?.trim();
  return { mistake: name, gate: gate.name, seconds, message };
}

/** Returns the path of a file. Finds a migration by name, because its number depends on the other migrations. */
async function pathIn(folder: string, file: string): Promise<string> {
  const [, name] = /^server\/storage\/migrations\/0000(-.*)$/.exec(file) ?? [];
  if (name === undefined) return join(folder, file);
  const migrations = join(folder, 'server/storage/migrations');
  const found = (await readdir(migrations)).find((each) => each.endsWith(name));
  return join(migrations, found ?? file);
}

/** Returns the lines of a gate's output that name failures, or the end of the output if no line does. */
function telling(output: string): string {
  const named = output.split('\n').filter((line) => /FAIL|error TS|✘/.test(line));
  return named.length > 0 ? [...new Set(named)].slice(0, 40).join('\n') : output.slice(-2_000);
}
