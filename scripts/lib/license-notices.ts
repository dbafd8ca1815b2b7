import { globSync, readFileSync } from 'node:fs';

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
