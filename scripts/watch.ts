import { watch } from 'node:fs';
import { dirname, resolve } from 'node:path';

// An editor writes a file in several steps, and a change of a contract is often several files.
const settledMs = 150;

/**
 * Tells of changes in the folder of a contract, once for those that come together.
 * @param api path of the contract's root
 * @returns a function that ends it
 */
export function watchContract(api: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(dirname(resolve(api)), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(changed, settledMs);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}
