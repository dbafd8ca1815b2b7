import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Remembers what is to be done when something is over; usually a test. */
export type OnCleanup = (end: () => Promise<void>) => void;

/** A folder that goes when the test is over. */
export async function temporaryFolder(onCleanup: OnCleanup = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley test '));
  onCleanup(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
