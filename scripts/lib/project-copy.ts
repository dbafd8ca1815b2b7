import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A change to a file: a text that occurs exactly once in it, and its replacement. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

// Copies share the installed packages and omit these folders.
const leftOut = ['node_modules', '.git', 'data', 'coverage'];

/**
 * Copies the project and links its installed packages.
 * @param only names of the top-level files and folders to copy (default: all)
 */
export async function copyProject(to: string, only: readonly string[] = []): Promise<void> {
  await mkdir(to, { recursive: true });
  const root = resolve('.');
  await cp(root, to, {
    recursive: true,
    filter: (source) => {
      const [top = ''] = source.slice(root.length + 1).split(/[\\/]/);
      return !leftOut.includes(top) && (top === '' || only.length === 0 || only.includes(top));
    },
  });
  // `.cache` is not linked, because tests in a copy write their coverage there.
  await mkdir(join(to, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(to, 'node_modules', name));
}

/** Applies a patch to a copy. @throws Error if the source has changed */
export async function applyPatch(folder: string, patch: Patch): Promise<void> {
  const path = join(folder, patch.file);
  await writeFile(path, patched(await readFile(path, 'utf8'), patch));
}

/**
 * Returns the content of a file with a patch.
 * @throws Error if the text does not occur exactly once, because the source has changed
 */
export function patched(content: string, { file, from, to }: Patch): string {
  const count = content.split(from).length - 1;
  if (count !== 1)
    throw new Error(
      `${file} contains the text of a patch ${count} times instead of once: ${from.slice(0, 80)}`,
    );
  return content.replace(from, () => to);
}
