import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

const packed = new URL('./assets/scalar.js', import.meta.url);

/**
 * Returns Scalar's browser script, which renders the reference and its console. The package of the toolchain contains it as a
 * file, so that it needs neither Fastify nor Scalar's plugin.
 * @throws Error if the script cannot be read
 */
export async function rendererScript(): Promise<string> {
  if (existsSync(packed)) return readFile(packed, 'utf8');
  const { scalarScript } = await import('./scalar-script.ts');
  return scalarScript();
}
