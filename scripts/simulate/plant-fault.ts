import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Patch, patched } from '../lib/project-copy.ts';

/** Changes the source of a module of this process when it is loaded. @throws Error if the source has changed */
export function plantFault(patch: Patch): void {
  const source = patched(readFileSync(patch.file, 'utf8'), patch);
  const target = pathToFileURL(patch.file).href;
  registerHooks({
    load: (url, context, next) => ({ ...next(url, context), ...(url === target ? { source } : {}) }),
  });
}
