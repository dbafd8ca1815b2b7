import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { OpenApiDocument } from '../../lib/openapi-document.ts';
import { licenseNotices } from '../compile/bundle-modules.ts';
import type { ContractConfig } from '../config.ts';
import { generatePageMock, pageMockOptions } from '../generate/page-mock/module.ts';

/**
 * Bundles the portal's browser scripts.
 * @param live whether to include the script that reloads changed pages
 * @returns the code of each script, by path, such as `assets/site.js`
 */
export async function browserScripts(live: boolean): Promise<Record<string, string>> {
  const names = ['theme', 'site', 'request-form', ...(live ? ['live-reload'] : [])];
  const bundles = await Promise.all(
    names.map(async (name): Promise<[string, string]> => {
      const input = join(import.meta.dirname, `browser/${name}.ts`);
      const bundle = await rolldown({
        input,
        platform: 'browser',
        logLevel: 'silent',
        resolve: {
          alias: { 'highlight.js': 'highlight.js/lib/common' },
          // The package of the toolchain has compiled modules besides these.
          extensionAlias: { '.ts': ['.ts', '.js'] },
        },
      });
      const { output } = await bundle.generate({ format: 'iife', name: 'parleyRequestForm', minify: true });
      await bundle.close();
      return [`assets/${name}.js`, licenseNotices(Object.keys(output[0].modules)) + output[0].code];
    }),
  );
  return Object.fromEntries(bundles);
}

/**
 * Returns a script that sets `parleyPageMock` to the mock of a contract. A page that is opened from disk cannot load
 * modules.
 */
export async function pageMockScript(
  document: OpenApiDocument,
  config: ContractConfig,
  api: string,
): Promise<string> {
  if (!config.pageMock) return '';
  const made = await generatePageMock(document, await pageMockOptions(config, api));
  const bundle = await rolldown({
    input: 'mock',
    logLevel: 'silent',
    plugins: [{ name: 'mock', resolveId: (id) => `\0${id}`, load: () => made['mock.js'] }],
  });
  const { output } = await bundle.generate({ format: 'iife', name: 'parleyPageMock', minify: true });
  await bundle.close();
  return output[0].code;
}
