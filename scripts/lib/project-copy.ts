import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** A change to the source that makes it wrong: text that stands once in a file, and what stands there instead. */
export interface Patch {
  file: string;
  from: string;
  to: string;
}

// What is installed is shared; the rest is of this checkout alone.
const leftOut = ['node_modules', '.git', 'data', 'coverage'];

/**
 * Copies the project, with what is installed linked into it.
 * @param only top-level names; everything where none is given
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
  // Caches are the copy's own: tests leave there what they have reached.
  await mkdir(join(to, 'node_modules'));
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== '.cache') await symlink(join(root, 'node_modules', name), join(to, 'node_modules', name));
}

/**
 * Makes a copy wrong.
 * @throws Error where the text does not stand there exactly once: the source has changed since the patch was written
 */
export async function applyPatch(folder: string, { file, from, to }: Patch): Promise<void> {
  const path = join(folder, file);
  const text = await readFile(path, 'utf8');
  const count = text.split(from).length - 1;
  if (count !== 1)
    throw new Error(`${file} has the text of a patch ${count} times, and not once: ${from.slice(0, 80)}`);
  await writeFile(
    path,
    text.replace(from, () => to),
  );
}
