import { globSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { runtimeModule } from '../../lib/ajv-code.ts';
import { siblingModule } from '../../lib/sibling-module.ts';
import { ownFormatsModule } from './emit-contract.ts';

export interface BundleOptions {
  /** The name of the module whose exports the bundle has. */
  entry: string;
  /** Paths of further modules, by name. */
  files?: Readonly<Record<string, string>>;
  /** Sources that replace files, by absolute path. */
  replaced?: Readonly<Record<string, string>>;
  minify: boolean;
}

/**
 * Bundles modules into one without imports.
 * @param sources modules that exist only here, by name
 * @returns its source, and the modules that it still imports: only those that rules of the project import
 */
export async function bundleModules(
  sources: Readonly<Record<string, string>>,
  { entry, files = {}, replaced = {}, minify }: BundleOptions,
): Promise<{ code: string; imports: readonly string[] }> {
  const sibling = (name: string) => fileURLToPath(siblingModule(name, import.meta.url));
  const known: Readonly<Record<string, string>> = {
    [runtimeModule]: sibling('../../../server/lib/ajv-runtime'),
    '#work-limit': sibling('../../../server/lib/work-limit'),
    [ownFormatsModule]: sibling('../../../server/lib/formats'),
    ...files,
  };
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    logLevel: 'silent',
    plugins: [
      {
        name: 'contract',
        resolveId: (id, importer) => {
          const path = importer === undefined ? id : resolve(dirname(importer), id);
          if (Object.hasOwn(replaced, path)) return path;
          if (Object.hasOwn(sources, id)) return `\0${id}`;
          return known[id] ?? null;
        },
        load: (id) => replaced[id] ?? sources[id.slice(1)] ?? null,
      },
    ],
  });
  const { output } = await bundle.generate({
    format: 'es',
    minify: minify || { compress: true, mangle: false, codegen: { removeWhitespace: false } },
  });
  await bundle.close();
  const [{ code, imports }] = output;
  return { code, imports };
}

/**
 * Returns the licenses of the packages that a bundle contains, as comments to put in front of it. Minifiers remove those of
 * the sources.
 * @param modules paths of the modules in the bundle
 * @returns empty if none of them is in a package
 * @throws Error if a package has no license file
 */
export function licenseNotices(modules: readonly string[]): string {
  const folders = modules.flatMap(
    (path) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(path)?.[0] ?? [],
  );
  return [...new Set(folders)]
    .sort()
    .map((folder) => {
      const [file] = globSync(`${folder}/LICEN[CS]E*`);
      if (file === undefined) throw new Error(`${folder} has no license file.`);
      const { name, version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
      return `/*!\n${name} ${version}\n\n${readFileSync(file, 'utf8').trim().replaceAll('*/', '* /')}\n*/\n`;
    })
    .join('');
}
