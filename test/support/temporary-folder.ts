import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Registers a cleanup, usually for the end of the test. */
export type OnCleanup = (end: () => Promise<void>) => void;

const ends: Parameters<OnCleanup>[0][] = [];

/** Registers a cleanup after all tests of a file, also in hooks and tests, in which Vitest ignores `afterAll`. */
export const afterAllTests: OnCleanup = (end) => void ends.push(end);

/** Runs the cleanups of a file, the last one first. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

/** Creates a folder that is removed after the test. */
export async function temporaryFolder(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley test '));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
