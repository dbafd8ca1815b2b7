import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * Bundles the portal's browser scripts.
 * @param live whether to include the script that reloads changed pages
 * @returns the code of each script, by path, such as `assets/site.js`
 */
export async function browserScripts(live: boolean): Promise<Record<string, string>> {
  const names = ['theme', 'site', 'reference', ...(live ? ['live-reload'] : [])];
  const bundles = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const input = join(import.meta.dirname, `browser/${name}.ts`);
      const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
      const { output } = await bundle.generate({ format: 'iife', minify: true });
      await bundle.close();
      return [`assets/${name}.js`, output[0].code];
    }),
  );
  return Object.fromEntries(bundles);
}
