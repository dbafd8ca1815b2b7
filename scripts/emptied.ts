import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Empties a folder that is to be made anew.
 * @param sign a file that is in it when it was made before, relative to the folder
 * @throws Error where the folder holds something else, which is left as it is
 */
export async function emptied(folder: string, sign: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0 && !existsSync(join(folder, sign)))
    throw new Error(
      `${folder} holds something else than what is made here. Choose another folder, or empty it.`,
    );
  await rm(folder, { recursive: true, force: true });
}
