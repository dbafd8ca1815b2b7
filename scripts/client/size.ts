import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/**
 * How much a page loads that takes an entry whole: with all that it imports, minified, in one file.
 * @param entry path of a module
 * @returns the file, and its size in bytes after gzip at its usual level
 */
export async function bundleOf(entry: string): Promise<{ code: string; bytes: number }> {
  const bundle = await rolldown({ input: resolve(entry), platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  await bundle.close();
  const [{ code }] = output;
  return { code, bytes: gzipSync(code).length };
}
