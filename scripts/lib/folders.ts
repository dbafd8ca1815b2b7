import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Deletes an output folder, if it exists, together with its generated files.
 * @param own names that the folder may contain
 * @throws Error if the path is not a folder, or the folder contains other names; then nothing is deleted
 */
export async function deleteOutputFolder(folder: string, own: readonly string[]): Promise<void> {
  await checkOutputFolder(folder, own);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Checks that an output folder can be deleted, for commands that first do something slow.
 * @param own names that the folder may contain
 * @throws Error if the path is not a folder, or the folder contains other names
 */
export async function checkOutputFolder(folder: string, own: readonly string[]): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const others = names.filter((name) => !own.includes(name));
  if (others.length > 0)
    throw new Error(
      `${folder} contains other files (${others.slice(0, 3).join(', ')}). Choose another folder, or empty it.`,
    );
}

/** Calls a function with a temporary folder, which is deleted when its promise settles. */
export async function inTemporaryFolder<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parley '));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
