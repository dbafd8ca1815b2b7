import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Returns the file that a relative import names. Generated files import the types of `types.ts` as `types.js`. */
export function importedFile(from: string, path: string): string {
  const file = join(dirname(from), path);
  return existsSync(file) ? file : file.replace(/\.js$/, '.ts');
}
