import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';

/**
 * Bundles and minifies a module with its imports, and measures it.
 * @param entry path of the module
 * @returns the bundle, and its size in bytes after gzip
 * @throws Error if an import is not installed
 */
export async function bundleEntry(entry: string): Promise<{ code: string; bytes: number }> {
  const bundle = await rolldown({ input: resolve(entry), platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({ format: 'es', minify: true });
  await bundle.close();
  const [{ code, imports }] = output;
  // The bundler silently leaves out missing packages, which would make the measured size too small.
  if (imports.length > 0)
    throw new Error(`${entry} imports packages that are not installed: ${imports.join(', ')}.`);
  return { code, bytes: gzipSync(code).length };
}
