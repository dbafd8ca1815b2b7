import { extname } from 'node:path';

/**
 * Returns the URL of a module in the same folder, for a worker thread or a child process. The extension is that of the
 * caller: `.ts` in this repository, `.js` in the package.
 * @param caller `import.meta.url`
 */
export const siblingModule = (name: string, caller: string): URL =>
  new URL(`./${name}${extname(new URL(caller).pathname)}`, caller);
