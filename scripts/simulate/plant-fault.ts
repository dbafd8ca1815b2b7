import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Patch } from '../lib/project-copy.ts';

/**
 * Changes the source of a module of this process when it is loaded.
 * @throws Error if the text does not occur exactly once, because the source has changed
 */
export function plantFault({ file, from, to }: Patch): void {
  const text = readFileSync(file, 'utf8');
  if (text.split(from).length !== 2)
    throw new Error(`${file} does not contain the text of a planted fault exactly once: ${from}`);
  const source = text.replace(from, () => to);
  const patched = pathToFileURL(file).href;
  registerHooks({
    load: (url, context, next) => ({ ...next(url, context), ...(url === patched ? { source } : {}) }),
  });
}
