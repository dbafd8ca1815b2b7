import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Registers a cleanup, usually for the end of the test. */
export type OnCleanup = (end: () => Promise<void>) => void;

/** Creates a folder that is removed after the test. */
export async function temporaryFolder(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley test '));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
