import { join } from 'node:path';
import { rolldown } from 'rolldown';

/**
 * What runs in the pages, each in one file, by its name on the portal.
 * @param live whether pages are loaded anew when they change
 */
export async function browserScripts(live: boolean): Promise<Record<string, string>> {
  const names = ['theme', 'site', 'reference', ...(live ? ['live-reload'] : [])];
  const made = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const input = join(import.meta.dirname, `browser/${name}.ts`);
      const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
      const { output } = await bundle.generate({ format: 'iife', minify: true });
      await bundle.close();
      return [`assets/${name}.js`, output[0].code];
    }),
  );
  return Object.fromEntries(made);
}
