import { cp, mkdir, readdir, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

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
