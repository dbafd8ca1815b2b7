import { watch } from 'node:fs';
import { dirname, extname, join, relative, resolve } from 'node:path';

// Delay after the last event. Editors write a file in several steps, and a change often affects several files.
const settledMs = 150;

const written = ['.yaml', '.yml', '.json', '.md'];

/**
 * Watches the folder of a contract and calls a function after changes. Changes in quick succession cause one call, and
 * calls do not overlap.
 * @param api path of the contract's root
 * @param changed the function; must not throw
 * @param besides an output folder to ignore
 * @returns a function that stops watching
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
