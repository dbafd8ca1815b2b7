import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folder to which tests write what they cover: one file per process. */
export const folder = 'node_modules/.cache/parley/reached';

const stamp = join(folder, 'commit.txt');

/** Deletes the last recording, and stores the commit of the next one. */
export async function beginRecording(): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(stamp, await currentCommit());
}

const ownFile = join(folder, `${randomUUID()}.json`);

/**
 * Writes what this process has covered so far, in place of what it wrote before. It is synchronous, so that it works
 * when a process ends.
 */
export function saveRecording(reached: ReadonlySet<string>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(ownFile, JSON.stringify([...reached]));
}

export interface Recording {
  /** `git describe` of the tested source; empty if Git is unavailable. */
  commit: string;
  reached: Set<string>;
}

/** Returns what the last tests covered; undefined if there is no recording. */
export async function readRecording(): Promise<Recording | undefined> {
  const names = await readdir(folder).catch(() => []);
  const lists = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFile(join(folder, name), 'utf8'));
  if (lists.length === 0) return undefined;
  const reached = new Set((await Promise.all(lists)).flatMap((text): string[] => JSON.parse(text)));
  return { commit: await readFile(stamp, 'utf8').catch(() => ''), reached };
}

/** Returns the `git describe` of the source; empty if Git is unavailable. */
export async function currentCommit(): Promise<string> {
  const described = promisify(execFile)('git', ['describe', '--always', '--dirty', '--abbrev=12']);
  return described.then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
