import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** The folder to which tests write what they cover: one file per process. */
export const folder = 'node_modules/.cache/parley/reached';

/** Deletes the last recording. */
export const beginRecording = (): Promise<void> => rm(folder, { recursive: true, force: true });

const ownFile = join(folder, `${randomUUID()}.json`);

/**
 * Writes what this process has covered so far, in place of what it wrote before. It is synchronous, so that it works
 * when a process ends.
 */
export function saveRecording(reached: ReadonlySet<string>): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(ownFile, JSON.stringify([...reached]));
}

/** Returns the names of what the last tests covered; undefined if there is no recording. */
export async function readRecording(): Promise<Set<string> | undefined> {
  const names = await readdir(folder).catch(() => []);
  const lists = names
    .filter((name) => name.endsWith('.json'))
    .map((name) => readFile(join(folder, name), 'utf8'));
  if (lists.length === 0) return undefined;
  return new Set((await Promise.all(lists)).flatMap((text): string[] => JSON.parse(text)));
}
