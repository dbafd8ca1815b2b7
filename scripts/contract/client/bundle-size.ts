import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/**
 * How much a page loads that takes an entry whole: with all that it imports, minified, in one file.
 * @param entry path of a module
 * @returns the file, and its size in bytes after gzip at its usual level
 * @throws Error where something that it imports is not there
 */
export async function bundleEntry(entry: string): Promise<{ code: string; bytes: number }> {
  const bundle = await rolldown({ input: resolve(entry), platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  await bundle.close();
  const [{ code, imports }] = output;
  // What is not found is left out in silence, and would weigh nothing.
  if (imports.length > 0) throw new Error(`${entry} imports what is not installed: ${imports.join(', ')}.`);
  return { code, bytes: gzipSync(code).length };
}
