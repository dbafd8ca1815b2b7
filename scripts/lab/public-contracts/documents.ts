import { globSync } from 'node:fs';

/** The documents in the installed packages: examples of OpenAPI 3.1, OpenAPI 3.0 and Swagger 2.0, and real contracts. */
export const publicContracts = (): string[] =>
  [
    ...globSync('node_modules/@readme/oas-examples/{2.0,3.0,3.1}/json/*.json'),
    ...globSync('node_modules/@scalar/galaxy/dist/3.1.yaml'),
    ...globSync('node_modules/@octokit/openapi-webhooks/generated/{api.github.com,ghec}.json'),
  ].sort();

/** Returns the path of a document inside its package. */
export const nameOfDocument = (file: string): string => file.replace(/^.*node_modules\//, '');
