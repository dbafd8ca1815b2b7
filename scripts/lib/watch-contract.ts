import { watch } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';

// An editor writes a file in several steps, and a change of a contract is often several files.
const settledMs = 150;

const written = ['.yaml', '.yml', '.json', '.md'];

/**
 * Tells of changes in the folder of a contract: once for those that come together, and one after the other.
 * @param api path of the contract's root
 * @param changed must not throw
 * @param besides a folder whose changes do not count, because they are made here
 * @returns a function that ends it
 */
export function watchContract(api: string, changed: () => Promise<void>, besides?: string): () => void {
  const folder = dirname(resolve(api));
  let timer: NodeJS.Timeout | undefined;
  let last = Promise.resolve();
  const watcher = watch(folder, { recursive: true }, (_event, name) => {
    if (name !== null && !(written.includes(extname(name)) && !isWithin(besides, join(folder, name)))) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      last = last.then(changed);
    }, settledMs);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

const isWithin = (folder: string | undefined, path: string): boolean =>
  folder !== undefined && !relative(folder, path).startsWith('..');
